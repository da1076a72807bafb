import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { builtinResources } from "@gatehouse/server/kinds";
import type { ResourceDefinition } from "../../registry/resource-definition.js";
import type { DeleteOptions } from "../delete-options.js";
import { type DeletionConditions, planDeletion } from "./plan-deletion.js";

const nowMs = Date.parse("2024-01-01T12:00:00Z");

function definitionOf(resource: string, version = "v1"): ResourceDefinition {
  const found = builtinResources.find((item) => item.resource === resource && item.version === version);
  assert.ok(found);
  return found;
}

const noOptions: DeleteOptions = {
  gracePeriodSeconds: undefined,
  preconditions: undefined,
  orphanDependents: undefined,
  propagationPolicy: undefined,
  dryRun: false,
};

function plan(
  resource: string,
  object: JsonObject,
  options: Partial<DeleteOptions> = {},
  conditions: Partial<DeletionConditions> = {},
): { readonly plan: string; readonly metadata: unknown } {
  const outcome = planDeletion(
    {
      strategy: definitionOf(resource).strategy.deletion,
      garbageCollection: true,
      podTermination: "graceful",
      nowMs,
      ...conditions,
    },
    object,
    { ...noOptions, ...options },
  );
  return { plan: outcome, metadata: object["metadata"] };
}

function pod(metadata: JsonObject = {}): JsonObject {
  return { metadata, spec: { nodeName: "n", terminationGracePeriodSeconds: 30 }, status: { phase: "Running" } };
}

describe("planDeletion of a namespace, which has finalizers of its own", () => {
  const marked = { deletionTimestamp: "2024-01-01T12:00:00Z" };

  test("the first deletion marks it, whether anything holds it or not, and counts as no new generation", () => {
    for (const finalizers of [["kubernetes"], []]) {
      const { plan: outcome, metadata } = plan("namespaces", { metadata: { generation: 7 }, spec: { finalizers } });
      assert.deepEqual({ outcome, metadata }, { outcome: "mark", metadata: { generation: 7, ...marked } });
    }
  });

  test("another one does nothing while something holds it, and then removes it", () => {
    const ending = (finalizers: string[]): JsonObject => ({ metadata: { ...marked }, spec: { finalizers } });
    const foreground = plan("namespaces", ending(["kubernetes"]), { propagationPolicy: "Foreground" });
    assert.deepEqual(foreground, { plan: "pending", metadata: marked });
    assert.deepEqual(plan("namespaces", ending([])), { plan: "remove", metadata: marked });
  });

  test("the first deletion sets each finalizer of garbage collection by itself", () => {
    const finalizersOf = (finalizers: string[], options: Partial<DeleteOptions>): unknown => {
      const { metadata } = plan("namespaces", { metadata: { finalizers } }, options);
      return (metadata as JsonObject)["finalizers"];
    };
    assert.deepEqual(finalizersOf([], { orphanDependents: false }), ["foregroundDeletion"]);
    assert.deepEqual(finalizersOf(["a/b", "foregroundDeletion"], { orphanDependents: true }), ["a/b", "orphan"]);
    assert.deepEqual(finalizersOf([], { propagationPolicy: "Foreground" }), ["foregroundDeletion"]);
    assert.deepEqual(finalizersOf(["orphan"], { propagationPolicy: "Background" }), undefined);
    assert.deepEqual(finalizersOf(["orphan"], {}), ["orphan"]);
  });
});

describe("planDeletion of a kind without grace", () => {
  test("the generation after the largest is the smallest, and none loses digits", () => {
    const finalizers = ["example.com/held"];
    for (const [generation, next] of [
      [2n ** 63n - 1n, -(2n ** 63n)],
      [2 ** 53 - 1, 2n ** 53n],
      [2n ** 53n, 2n ** 53n + 1n],
    ] as const) {
      const { metadata } = plan("storageclasses", { metadata: { generation, finalizers } });
      assert.equal((metadata as JsonObject)["generation"], next);
    }
  });

  test("an object that nothing holds is removed as it is", () => {
    assert.deepEqual(plan("configmaps", { metadata: { generation: 3 } }), {
      plan: "remove",
      metadata: { generation: 3 },
    });
  });

  test("an object with finalizers is marked, and its generation counts that", () => {
    assert.deepEqual(plan("configmaps", { metadata: { finalizers: ["a/b"], generation: 3 } }), {
      plan: "mark",
      metadata: {
        finalizers: ["a/b"],
        generation: 4,
        deletionTimestamp: "2024-01-01T12:00:00Z",
        deletionGracePeriodSeconds: 0,
      },
    });
  });

  test("a second deletion leaves the mark as it is, but may say something else of the dependents", () => {
    const marked = { deletionTimestamp: "2024-01-01T11:00:00Z", deletionGracePeriodSeconds: 0, generation: 4 };
    const again = plan("configmaps", { metadata: { ...marked, finalizers: ["foregroundDeletion"] } });
    assert.deepEqual(again, { plan: "mark", metadata: { ...marked, finalizers: ["foregroundDeletion"] } });
    const orphaning = plan(
      "configmaps",
      { metadata: { ...marked, finalizers: ["a/b", "foregroundDeletion"] } },
      { propagationPolicy: "Orphan" },
    );
    assert.deepEqual(orphaning.metadata, { ...marked, finalizers: ["a/b", "orphan"] });
    const background = { metadata: { ...marked, finalizers: ["foregroundDeletion"] } };
    assert.equal(plan("configmaps", background, { propagationPolicy: "Background" }).plan, "remove");
  });

  test("the deprecated option, the policy, the object and the kind decide on the dependents, in this order", () => {
    const finalizersOf = (resource: string, finalizers: string[], options: Partial<DeleteOptions>): unknown => {
      const { metadata } = plan(resource, { metadata: { finalizers } }, options);
      return (metadata as JsonObject)["finalizers"];
    };
    assert.deepEqual(finalizersOf("configmaps", [], { orphanDependents: true }), ["orphan"]);
    assert.deepEqual(finalizersOf("configmaps", [], { orphanDependents: false }), undefined);
    assert.deepEqual(finalizersOf("configmaps", [], { propagationPolicy: "Foreground" }), ["foregroundDeletion"]);
    assert.deepEqual(finalizersOf("configmaps", ["orphan"], { propagationPolicy: "Foreground" }), [
      "foregroundDeletion",
    ]);
    assert.deepEqual(finalizersOf("configmaps", ["orphan", "a/b"], {}), ["orphan", "a/b"]);
    assert.deepEqual(finalizersOf("replicationcontrollers", [], {}), ["orphan"]);
    assert.deepEqual(finalizersOf("replicationcontrollers", ["foregroundDeletion"], {}), ["foregroundDeletion"]);
    assert.deepEqual(finalizersOf("replicationcontrollers", [], { propagationPolicy: "Background" }), undefined);
    assert.deepEqual(finalizersOf("events", [], { propagationPolicy: "Foreground" }), undefined);
  });

  test("without a garbage collector nobody would remove its finalizers, so there are none", () => {
    const outcome = plan(
      "replicationcontrollers",
      { metadata: {} },
      { propagationPolicy: "Orphan" },
      { garbageCollection: false },
    );
    assert.equal(outcome.plan, "remove");
  });
});

describe("planDeletion of a pod", () => {
  test("a running pod is marked with its time", () => {
    assert.deepEqual(plan("pods", pod({ generation: 1 })), {
      plan: "mark",
      metadata: { generation: 2, deletionTimestamp: "2024-01-01T12:00:30Z", deletionGracePeriodSeconds: 30 },
    });
  });

  test("where no kubelet is a running pod is marked and removed, whatever time it has, asks for or was given before", () => {
    const immediate = { podTermination: "immediate" } as const;
    const gone = {
      plan: "markAndRemove",
      metadata: { deletionTimestamp: "2024-01-01T12:00:00Z", deletionGracePeriodSeconds: 0 },
    };
    assert.deepEqual(plan("pods", pod(), {}, immediate), gone);
    assert.deepEqual(plan("pods", pod(), { gracePeriodSeconds: 3600 }, immediate), gone);
    const before = { deletionTimestamp: "2024-01-01T12:00:30Z", deletionGracePeriodSeconds: 30 };
    assert.deepEqual(plan("pods", pod(before), {}, immediate), gone);
    assert.equal(plan("pods", pod({ finalizers: ["a/b"] }), {}, immediate).plan, "mark");
  });

  test("a pod without time left is marked and removed", () => {
    assert.deepEqual(plan("pods", pod(), { gracePeriodSeconds: 0 }), {
      plan: "markAndRemove",
      metadata: { deletionTimestamp: "2024-01-01T12:00:00Z", deletionGracePeriodSeconds: 0 },
    });
    assert.equal(plan("pods", pod({ finalizers: ["a/b"] }), { gracePeriodSeconds: 0 }).plan, "mark");
  });

  const going = { deletionTimestamp: "2024-01-01T12:00:20Z", deletionGracePeriodSeconds: 60 };

  test("a pod that is going is not touched, whatever its own grace period is", () => {
    assert.deepEqual(plan("pods", pod({ ...going })), { plan: "pending", metadata: going });
    assert.deepEqual(plan("pods", pod({ ...going }), { gracePeriodSeconds: 60 }), { plan: "pending", metadata: going });
    assert.deepEqual(plan("pods", pod({ ...going, finalizers: ["a/b"] }), { propagationPolicy: "Orphan" }), {
      plan: "pending",
      metadata: { ...going, finalizers: ["a/b"] },
    });
  });

  test("a deletion under way can be hastened, counted from its beginning; a negative time counts as a second", () => {
    assert.deepEqual(plan("pods", pod({ ...going }), { gracePeriodSeconds: 10 }), {
      plan: "mark",
      metadata: { deletionTimestamp: "2024-01-01T11:59:30Z", deletionGracePeriodSeconds: 10 },
    });
    assert.deepEqual(plan("pods", pod({ ...going }), { gracePeriodSeconds: -5 }).metadata, {
      deletionTimestamp: "2024-01-01T11:59:21Z",
      deletionGracePeriodSeconds: 1,
    });
    assert.equal(plan("pods", pod({ ...going }), { gracePeriodSeconds: 0 }).plan, "markAndRemove");
  });

  test("a pod whose time is over goes when nothing holds it any more", () => {
    const over = { deletionTimestamp: "2024-01-01T11:00:00Z", deletionGracePeriodSeconds: 0 };
    assert.equal(plan("pods", pod({ ...over })).plan, "remove");
    assert.deepEqual(plan("pods", pod({ ...over, finalizers: ["a/b"] })), {
      plan: "mark",
      metadata: { ...over, finalizers: ["a/b"] },
    });
  });
});
