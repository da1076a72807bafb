import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { assertCode, assertStatus } from "../spec/support/assert-status.js";
import { freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

interface Prepared {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly pods: string;
  readonly budgets: string;
}

async function prepare(): Promise<Prepared> {
  // Budgets here have the status that a test gives them.
  const client = await serverWith("--controllers=*,-disruption-controller");
  const namespace = await freshNamespace(client);
  return {
    client,
    namespace,
    pods: `/api/v1/namespaces/${namespace}/pods`,
    budgets: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
  };
}

interface PodState {
  readonly ready?: boolean;
  readonly phase?: string;
  readonly nodeName?: string;
}

async function makePod({ client, pods }: Prepared, name: string, state: PodState = {}): Promise<ApiDocument> {
  const { ready = true, phase = "Running", nodeName = "node" } = state;
  const spec = { containers: [{ name: "c", image: "i" }], ...(nodeName === "" ? {} : { nodeName }) };
  assertCode(await client.post(pods, { metadata: { name, labels: { app: "a" } }, spec }), 201);
  const status = { phase, conditions: [{ type: "Ready", status: ready ? "True" : "False" }] };
  const answer = await client.patch(`${pods}/${name}/status`, "application/merge-patch+json", { status });
  assertCode(answer, 200);
  return answer.document;
}

interface BudgetState {
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
}

async function makeBudget(
  { client, budgets }: Prepared,
  name: string,
  state: BudgetState,
  spec: object = {},
): Promise<void> {
  const selector = { matchLabels: { app: "a" } };
  assertCode(await client.post(budgets, { metadata: { name }, spec: { minAvailable: 1, selector, ...spec } }), 201);
  const status = { observedGeneration: 1, expectedPods: 3, ...state };
  const answer = await client.patch(`${budgets}/${name}/status`, "application/merge-patch+json", { status });
  assertCode(answer, 200);
}

const evict = ({ client, pods }: Prepared, name: string, more: object = {}) =>
  client.post(`${pods}/${name}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, ...more });

const success = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };

describe("Evictions", { concurrency: true }, () => {
  it("charge the budget, tell the pod's status why it goes, and delete it", async () => {
    const given = await prepare();
    await makePod(given, "p");
    await makeBudget(given, "b", { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 });
    const answer = await evict(given, "p");
    assertCode(answer, 201);
    assert.deepEqual(answer.document, success);
    const pod = (await given.client.get(`${given.pods}/p`)).document;
    assert.ok(pod.metadata.deletionTimestamp);
    const { conditions } = pod["status"] as { conditions: Record<string, unknown>[] };
    const condition = conditions.find((item) => item["type"] === "DisruptionTarget");
    assert.deepEqual(
      [condition?.["reason"], condition?.["message"]],
      ["EvictionByEvictionAPI", "Eviction API: evicting"],
    );
    const budget = (await given.client.get(`${given.budgets}/b`)).document;
    const charge = /"manager":"kube-apiserver","operation":"Update".*"f:disruptedPods":\{"\.":\{\},"f:p":\{\}\}/;
    assert.match(JSON.stringify(budget.metadata.managedFields), charge, "the server owns the charge");
    const status = budget["status"] as Record<string, unknown>;
    assert.equal(status["disruptionsAllowed"], 0);
    assert.deepEqual(Object.keys(status["disruptedPods"] as object), ["p"]);
    assert.deepEqual((status["conditions"] as Record<string, unknown>[])[0]?.["reason"], "InsufficientPods");
  });

  it("are refused with 429 when the budget has nothing left, or is not up to date", async () => {
    const given = await prepare();
    await makePod(given, "p");
    await makeBudget(given, "b", { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
    assertStatus(await evict(given, "p"), {
      code: 429,
      reason: "TooManyRequests",
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: {
        causes: [
          { reason: "DisruptionBudget", message: "The disruption budget b needs 1 healthy pods and has 1 currently" },
        ],
      },
    });
    const patch = { spec: { minAvailable: 2 } };
    assertCode(await given.client.patch(`${given.budgets}/b`, "application/merge-patch+json", patch), 200);
    const answer = await evict(given, "p");
    assert.equal(answer.headers["retry-after"], "10");
    assert.match(answer.text, /The disruption budget b is still being processed by the server\./);
  });

  it("of pods that are not ready cost nothing when enough others are healthy, or the budget does not mind", async () => {
    const given = await prepare();
    await makePod(given, "p", { ready: false });
    await makePod(given, "q", { ready: false });
    await makeBudget(given, "b", { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2 });
    assertCode(await evict(given, "p"), 429);
    const lenient = { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } };
    await given.client.patch(`${given.budgets}/b`, "application/merge-patch+json", lenient);
    assertCode(await evict(given, "p"), 201);
    const strict = { spec: { unhealthyPodEvictionPolicy: null } };
    await given.client.patch(`${given.budgets}/b`, "application/merge-patch+json", strict);
    await given.client.patch(`${given.budgets}/b/status`, "application/merge-patch+json", {
      status: { currentHealthy: 2 },
    });
    assertCode(await evict(given, "q"), 201);
    const status = (await given.client.get(`${given.budgets}/b`)).document["status"] as Record<string, unknown>;
    assert.equal(status["disruptedPods"], undefined);
  });

  it("of pods that do not count need no budget", async () => {
    const given = await prepare();
    await makeBudget(given, "b", { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
    for (const phase of ["Succeeded", "Failed", "Pending"]) {
      await makePod(given, phase.toLowerCase(), { phase });
      const path = `${given.pods}/${phase.toLowerCase()}`;
      await given.client.patch(path, "application/merge-patch+json", {
        metadata: { finalizers: ["example.com/held"] },
      });
      assertCode(await evict(given, phase.toLowerCase()), 201);
      const { document } = await given.client.get(path);
      assert.match(JSON.stringify(document["status"]), /"reason":"EvictionByEvictionAPI"/, "it notes why it goes");
    }
  });

  it("take preconditions that are empty texts for none, until the pod is deleted", async () => {
    const given = await prepare();
    await makePod(given, "p");
    const preconditions = { uid: "", resourceVersion: "1" };
    const refused = (await evict(given, "p", { deleteOptions: { preconditions } })).document;
    assert.match(String(refused.message), /the ResourceVersion in the precondition \(1\) does not match/);
    assertCode(await evict(given, "p", { deleteOptions: { preconditions: { resourceVersion: "" } } }), 201);
  });

  it("in a dry run change nothing", async () => {
    const given = await prepare();
    const before = await makePod(given, "p");
    await makeBudget(given, "b", { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 });
    assertCode(await evict(given, "p", { deleteOptions: { dryRun: ["All"] } }), 201);
    assert.deepEqual((await given.client.get(`${given.pods}/p`)).document, before);
    const status = (await given.client.get(`${given.budgets}/b`)).document["status"] as Record<string, unknown>;
    assert.equal(status["disruptionsAllowed"], 1);
  });

  it("come under the old version, too, and name the pod of their path", async () => {
    const given = await prepare();
    await makePod(given, "p");
    assertStatus(await evict(given, "p", { metadata: { name: "q" } }), {
      code: 400,
      reason: "BadRequest",
      message: "name in URL does not match name in Eviction object",
    });
    assertCode(await evict(given, "p", { apiVersion: "policy/v1beta1" }), 201);
  });

  it("of a pod with two budgets are refused", async () => {
    const given = await prepare();
    await makePod(given, "p");
    for (const name of ["a", "b"]) {
      await makeBudget(given, name, { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 });
    }
    const answer = await evict(given, "p");
    assertCode(answer, 500);
    assert.deepEqual(answer.document, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
      code: 500,
    });
  });
});

describe("Bindings", { concurrency: true }, () => {
  const bind = ({ client, pods }: Prepared, name: string, metadata: object = { name }) =>
    client.post(`${pods}/${name}/binding`, { metadata, target: { kind: "Node", name: "n" } });

  it("assign a pod once", async () => {
    const given = await prepare();
    await makePod(given, "p", { nodeName: "", phase: "Pending" });
    const answer = await bind(given, "p", { name: "p", annotations: { k: "v" } });
    assertCode(answer, 201);
    assert.deepEqual(answer.document, success);
    const pod = (await given.client.get(`${given.pods}/p`)).document;
    assert.equal((pod["spec"] as Record<string, unknown>)["nodeName"], "n");
    assert.deepEqual(pod.metadata.annotations, { k: "v" });
    const { conditions } = pod["status"] as { conditions: Record<string, unknown>[] };
    assert.deepEqual(
      conditions.map((condition) => condition["type"]),
      ["Ready", "PodScheduled"],
    );
    assertStatus(await bind(given, "p"), {
      code: 409,
      reason: "Conflict",
      message: 'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "n"',
      details: { name: "p", kind: "pods/binding" },
    });
  });

  it("must be for the pod of their path, and for a node", async () => {
    const given = await prepare();
    await makePod(given, "p", { nodeName: "", phase: "Pending" });
    assertStatus(await bind(given, "p", { name: "q" }), {
      code: 400,
      reason: "BadRequest",
      message: "name in URL does not match name in Binding object",
    });
    const answer = await given.client.post(`${given.pods}/p/binding`, { metadata: { name: "p" }, target: {} });
    assertStatus(answer, { code: 400, reason: "BadRequest", message: "target.name: Required value" });
    const twice = await given.client.post(`${given.pods}/p/binding`, {
      metadata: { name: "p" },
      target: { kind: "Pod" },
    });
    assertStatus(twice, {
      code: 400,
      reason: "BadRequest",
      message:
        '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
    });
  });
});
