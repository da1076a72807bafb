import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { group, policy } from "./policy-case.js";

const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const mergePatch = "application/merge-patch+json";
const configMaps = "/api/v1/namespaces/default/configmaps";

function binding(name: string, policyName: string, spec: object = {}): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName, validationActions: ["Deny"], ...spec },
  };
}

/** A policy about ConfigMaps of the namespace `default`. */
function defaultPolicy(name: string, spec: Record<string, unknown>): object {
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": "default" } };
  return policy(name, { matchConstraints: { namespaceSelector }, ...spec });
}

describe("Admission policies", () => {
  let server: ControlPlane;
  let client: ApiClient;
  let count = 0;

  before(async () => {
    server = await startTestServer({
      flags: [
        "--feature-gates=ValidatingAdmissionPolicy=true",
        "--runtime-config=admissionregistration.k8s.io/v1beta1=true,admissionregistration.k8s.io/v1alpha1=true",
      ],
    });
    client = createApiClient(server.clientConfig);
  });

  after(async () => {
    client[Symbol.dispose]();
    await server.stop();
  });

  const post = async (path: string, body: object): Promise<number> => (await client.post(path, body)).status;
  const tryToCreate = (): Promise<number> =>
    post(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c${count++}` } });

  test("have effect with the answer to the write that changes them", async () => {
    assert.equal(await post(policies, defaultPolicy("changing", { validations: [{ expression: "false" }] })), 201);
    assert.equal(await tryToCreate(), 201);
    assert.equal(await post(bindings, binding("changing", "changing")), 201);
    assert.equal(await tryToCreate(), 422);
    const spec = { validations: [{ expression: "true" }] };
    const patched = await client.patch(`${policies}/changing`, mergePatch, { spec });
    assert.equal(patched.status, 200);
    assert.equal(await tryToCreate(), 201);
    await client.patch(`${policies}/changing`, mergePatch, {
      spec: { validations: [{ expression: "false", reason: "Forbidden" }] },
    });
    assert.equal(await tryToCreate(), 403);
    assert.equal((await client.delete(`${bindings}/changing`)).status, 200);
    assert.equal(await tryToCreate(), 201);
    assert.equal((await client.delete(`${policies}/changing`)).status, 200);
  });

  test("follow their parameters, and the kind of these when it comes to be served", async () => {
    const validations = [{ expression: "params.spec.allowed == true" }];
    const paramKind = { apiVersion: "late.example.com/v1", kind: "Rule" };
    assert.equal(await post(policies, defaultPolicy("late", { paramKind, validations })), 201);
    const paramRef = { name: "r", parameterNotFoundAction: "Deny" };
    assert.equal(await post(bindings, binding("late", "late", { paramRef })), 201);
    assert.equal(await tryToCreate(), 422);
    const schema = {
      type: "object",
      properties: { spec: { type: "object", properties: { allowed: { type: "boolean" } } } },
    };
    await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "rules.late.example.com" },
      spec: {
        group: "late.example.com",
        scope: "Namespaced",
        names: { plural: "rules", kind: "Rule" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
    const rules = "/apis/late.example.com/v1/namespaces/default/rules";
    await until("the kind is served", async () => (await client.get(rules)).status === 200);
    assert.equal(await tryToCreate(), 422);
    const rule = { apiVersion: "late.example.com/v1", kind: "Rule", metadata: { name: "r" }, spec: { allowed: true } };
    assert.equal(await post(rules, rule), 201);
    assert.equal(await tryToCreate(), 201);
    await client.patch(`${rules}/r`, mergePatch, { spec: { allowed: false } });
    assert.equal(await tryToCreate(), 422);
    await client.delete(`${bindings}/late`);
    await client.delete(`${policies}/late`);
  });

  test("are counted when they come, and with each decision that has a consequence", async () => {
    const written = defaultPolicy("counted", { validations: [{ expression: "false" }] }) as Record<string, unknown>;
    const alpha = "admissionregistration.k8s.io/v1alpha1";
    assert.equal(await post(`/apis/${alpha}/validatingadmissionpolicies`, { ...written, apiVersion: alpha }), 201);
    assert.equal(await post(bindings, binding("counted", "counted", { validationActions: ["Warn", "Audit"] })), 201);
    assert.equal(await tryToCreate(), 201);
    const metrics = (await client.get("/metrics")).text;
    for (const action of ["warn", "audit"]) {
      const series = `apiserver_validating_admission_policy_check_total{policy="counted",policy_binding="counted",enforcement_action="${action}",state="active"} 1`;
      assert.ok(metrics.includes(series), metrics.match(/^.*admission_policy_check_total.*$/gm)?.join("\n"));
    }
    assert.match(metrics, /^apiserver_validating_admission_policy_definition_total\{[^}]*\} [1-9]/m);
    await client.delete(`${bindings}/counted`);
    await client.delete(`${policies}/counted`);
  });
});

test("Admission policies do nothing while the feature gate is off", async () => {
  const flags = ["--runtime-config=admissionregistration.k8s.io/v1beta1=true"];
  const server = await startTestServer({ flags });
  using client = createApiClient(server.clientConfig);
  try {
    await client.post(policies, defaultPolicy("p", { validations: [{ expression: "false" }] }));
    await client.post(bindings, binding("p", "p"));
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
    assert.equal((await client.post(configMaps, body)).status, 201);
  } finally {
    await server.stop();
  }
});
