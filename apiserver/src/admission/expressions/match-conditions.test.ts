import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { StatusError } from "@gatehouse/envelopes/status";
import { AdmissionVariables, MatchConditions } from "@gatehouse/policies/admission-expressions";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "../../authorization/authorizer.js";
import { type TestWrite, testAttributes } from "../testing/test-write.js";
import { matchConditionMetrics } from "./match-condition-metrics.js";
import { measuredMatch } from "./measured-match.js";
import { WriteSource } from "./write-source.js";

const write: TestWrite = {
  name: "a",
  object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { a: "1" } },
  user: { username: "ann", groups: ["dev"] },
};

interface Case {
  readonly expressions: readonly string[];
  readonly ignoresFailure?: boolean;
  readonly authorizer?: Authorizer;
  readonly write?: TestWrite;
}

/** Matches conditions of a webhook against a write. */
function match({ expressions, ignoresFailure = false, authorizer, write: asked = write }: Case) {
  const registry = createMetricsRegistry({ processMetrics: false });
  const conditions = new MatchConditions({
    conditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
    hasParams: false,
    ignoresFailure,
  });
  const attributes = testAttributes(asked);
  const source = new WriteSource(attributes, authorizer);
  const variables = new AdmissionVariables({ write: attributes, source, objects: attributes, hasAuthorizer: true });
  const owner = { name: "w.example.com", kind: "webhook", type: "validating" } as const;
  return {
    outcome: measuredMatch(conditions, owner, variables, attributes, matchConditionMetrics(registry)),
    registry,
  };
}

const decide =
  (answer: (attributes: AuthorizationAttributes) => AuthorizationDecision | Promise<AuthorizationDecision>) =>
  (): Authorizer & { readonly asked: AuthorizationAttributes[] } => {
    const asked: AuthorizationAttributes[] = [];
    return {
      asked,
      authorize(attributes) {
        asked.push(attributes);
        return answer(attributes);
      },
    };
  };

const allowsPods = ({ info }: AuthorizationAttributes): AuthorizationDecision =>
  info.resource === "pods" ? { decision: "allow", reason: "pods" } : { decision: "noOpinion", reason: "" };

const podsAllowed = "authorizer.group('').resource('pods').namespace('n').check('get').allowed()";
const nodesAllowed = "authorizer.group('').resource('nodes').check('list').allowed()";

describe("Match conditions that ask an authorizer", () => {
  test("are matched at once when it answers at once", () => {
    const authorizer = decide(allowsPods)();
    const { outcome } = match({ expressions: [podsAllowed, `!${nodesAllowed}`], authorizer });
    assert.equal(outcome, "matches");
    assert.deepEqual(
      authorizer.asked.map(({ user, info: { verb, version, namespace, resource } }) => [
        user.username,
        verb,
        version,
        namespace,
        resource,
      ]),
      [
        ["ann", "get", "*", "n", "pods"],
        ["ann", "list", "*", "", "nodes"],
      ],
    );
  });

  test("wait for each of its answers, and ask each question once", async () => {
    const authorizer = decide(async (attributes) => allowsPods(attributes))();
    const { outcome } = match({ expressions: [`${podsAllowed} && !${nodesAllowed}`, podsAllowed], authorizer });
    assert.ok(outcome instanceof Promise);
    assert.equal(await outcome, "matches");
    assert.deepEqual(
      authorizer.asked.map(({ info }) => info.resource),
      ["pods", "nodes"],
    );
  });

  test("see the reason and the error of an answer", async () => {
    const authorizer = decide(async () => ({ decision: "deny", reason: "why not", error: new Error("half of it") }))();
    const check = "authorizer.path('/x').check('get')";
    // One expression may ask for two checks, since each costs a third of what it may.
    const expressions = [`!${check}.allowed() && ${check}.reason() == 'why not'`, `${check}.error() == 'half of it'`];
    assert.equal(await match({ expressions, authorizer }).outcome, "matches");
  });

  test("take a rejection for an answer with an error", async () => {
    const authorizer = decide(() => Promise.reject(new Error("no connection")))();
    const expression = "authorizer.path('/x').check('get').error() == 'no connection'";
    assert.equal(await match({ expressions: [expression], authorizer }).outcome, "matches");
  });

  test("ask about the resource of the request and about service accounts", () => {
    const authorizer = decide(() => ({ decision: "allow", reason: "" }))();
    const expressions = [
      "authorizer.requestResource.check('special').allowed()",
      "authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').check('get').allowed()",
    ];
    assert.equal(match({ expressions, authorizer }).outcome, "matches");
    assert.deepEqual(
      authorizer.asked.map(({ user: { username, groups }, info: { group, resource, name } }) => [
        username,
        groups,
        group,
        resource,
        name,
      ]),
      [
        ["ann", ["dev"], "", "configmaps", "a"],
        [
          "system:serviceaccount:ns:sa",
          ["system:serviceaccounts", "system:serviceaccounts:ns"],
          "apps",
          "deployments",
          "",
        ],
      ],
    );
  });

  test("are given up with 504 when the write ends before the answer comes", async () => {
    const ending = new AbortController();
    const authorizer = decide(() => new Promise<never>(() => {}))();
    const outcome = match({
      expressions: [podsAllowed],
      authorizer,
      write: { ...write, signal: ending.signal },
    }).outcome;
    ending.abort();
    await assert.rejects(
      async () => outcome,
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 504);
        return true;
      },
    );
  });
});

describe("Metrics of match conditions", () => {
  const labels = '{name="w.example.com",kind="webhook",type="validating",operation="CREATE"}';
  const rows: readonly (readonly [name: string, expressions: readonly string[], errors: string, timed: boolean])[] = [
    ["nothing of conditions that are true", ["true"], "", false],
    ["the time of one that is false", ["false"], "", true],
    ["each that fails", ["object.x == 1", "object.y == 1", "object.z == 1"], "3", true],
    ["those that fail before one that is false", ["object.x == 1", "false", "object.y == 1"], "1", true],
  ];
  for (const [name, expressions, errors, timed] of rows) {
    test(`count ${name}`, async () => {
      const { registry } = match({ expressions });
      const text = await registry.render();
      const found = /^apiserver_admission_match_condition_evaluation_errors_total\{.*\} (\d+)$/m.exec(text)?.[1] ?? "";
      assert.equal(found, errors);
      assert.equal(text.includes(`match_condition_evaluation_seconds_count${labels} 1`), timed, text);
    });
  }
});

test("an evaluation that costs much lets other work run before the next one", async () => {
  const many = `[${Array.from({ length: 100 }, (_item, index) => index).join(",")}]`;
  const expensive = `${many}.all(a, ${many}.all(b, a + b >= 0))`;
  let yields = 0;
  const { outcome } = match({
    expressions: [expensive, "true", expensive],
    write: {
      ...write,
      yield: () => {
        yields++;
        return Promise.resolve();
      },
    },
  });
  assert.equal(await outcome, "matches");
  assert.equal(yields, 2);
});
