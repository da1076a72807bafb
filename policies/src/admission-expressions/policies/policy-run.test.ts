import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { MatchConditions } from "../match-conditions.js";
import { WriteSelectors } from "../matching/write-selectors.js";
import { Policy } from "./policy.js";
import { compileBinding } from "./policy-binding.js";
import { policyCandidates } from "./policy-candidates.js";
import type { PolicyDispatch, PolicyWrite } from "./policy-dispatch.js";
import { PolicyParams } from "./policy-params.js";
import { PolicyRun } from "./policy-run.js";

const kind = { group: "", version: "v1", kind: "ConfigMap" };
const resource = { group: "", version: "v1", resource: "configmaps" };

const write: PolicyWrite = {
  operation: "CREATE",
  kind,
  resource,
  subresource: "",
  namespace: "shop",
  name: "a",
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop" } },
  oldObject: undefined,
  signal: new AbortController().signal,
  yield: () => undefined,
  warn() {},
  annotate() {},
};

const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

function policyOf(name: string, matchCondition: string): Policy {
  return new Policy({
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      matchConditions: [{ name: "c", expression: matchCondition }],
      validations: [{ expression: "namespaceObject.metadata.name == 'shop'" }],
    },
  });
}

/** Applies policies, each with three bindings, and returns what was asked for. */
async function apply(policies: readonly Policy[]) {
  const asked = { namespace: 0, slowly: [] as string[] };
  const evaluated: string[] = [];
  const missing = { findKind: () => undefined, reader: () => assert.fail("there are no parameters") };
  const dispatch: PolicyDispatch = {
    selectors: new WriteSelectors(() => ({})),
    params: new PolicyParams(missing),
    observer: { decided() {}, evaluated: (policy, binding) => void evaluated.push(`${policy} ${binding}`) },
    expressionSource: () => ({ request: () => ({}), authorization: () => undefined }),
    namespaceObject(namespace) {
      asked.namespace++;
      return { metadata: { name: namespace } } as JsonObject;
    },
    versionedObjects: () => write,
    matchConditions(policy, conditions: MatchConditions, variables) {
      asked.slowly.push(policy);
      return conditions.match(variables, write);
    },
    refusal: (_write, message) => new StatusError(403, "Forbidden", message),
  };
  const bindings = policies.flatMap(({ name }) =>
    ["1", "2", "3"].map((number) =>
      compileBinding({
        metadata: { name: number },
        spec: { policyName: name, validationActions: ["Deny"] },
      }),
    ),
  );
  const candidates = policyCandidates(policies, bindings, write, { equivalents: () => [{ resource, kind }] });
  await new PolicyRun(dispatch, write).apply(candidates);
  return { asked, evaluated };
}

describe("Policies with several bindings", () => {
  test("have their match conditions evaluated once, and the namespace is looked up once a request", async () => {
    const policies = [
      policyOf("matching", "object.kind == 'ConfigMap'"),
      policyOf("excluded", "object.kind == 'Secret'"),
    ];
    const all = ["matching 1", "matching 2", "matching 3"];
    // The conditions are compiled for the first request, and told at once from then on.
    assert.deepEqual(await apply(policies), {
      asked: { namespace: 1, slowly: ["matching", "excluded"] },
      evaluated: all,
    });
    assert.deepEqual(await apply(policies), { asked: { namespace: 1, slowly: [] }, evaluated: all });
  });
});
