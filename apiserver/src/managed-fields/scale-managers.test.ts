import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldSet } from "./field-set.js";
import { type ManagedEntry, type Managers, managerKey } from "./managers.js";
import { managersAfterScale, managersOfScale, type ReplicasPath } from "./scale-managers.js";

/** The replicas are at spec.replicas in v1, at spec.size.count in v2, and v3 has none. */
const replicasIn: ReplicasPath = (apiVersion) =>
  ({ "g/v1": ["f:spec", "f:replicas"], "g/v2": ["f:spec", "f:size", "f:count"], "g/v3": [] })[apiVersion];

const inV1: FieldSet = { "f:spec": { "f:host": {}, "f:replicas": {} } };
const inV2: FieldSet = { "f:spec": { "f:hostname": {}, "f:size": { "f:count": {} } } };

function managers(...entries: readonly [name: string, apiVersion: string, fields: FieldSet][]): Managers {
  const all = entries.map(([manager, apiVersion, fields]): ManagedEntry => {
    return { manager, operation: "Apply", apiVersion, subresource: "", time: undefined, fields };
  });
  return new Map(all.map((entry) => [managerKey(entry), entry]));
}

const shown = (all: Managers): unknown => [...all.values()].map((m) => [m.manager, m.apiVersion, m.fields]);

test("a Scale shows who owns the replicas, wherever the version of the owner has them", () => {
  const ofObject = managers(
    ["one", "g/v1", inV1],
    ["two", "g/v2", inV2],
    ["three", "g/v3", inV1],
    ["four", "g/v4", inV1],
  );
  const replicas = { "f:spec": { "f:replicas": {} } };
  assert.deepEqual(shown(managersOfScale(ofObject, replicasIn)), [
    ["one", "autoscaling/v1", replicas],
    ["two", "autoscaling/v1", replicas],
  ]);
});

test("who loses the replicas in a Scale loses them in the version in which they were owned", () => {
  const ofObject = managers(
    ["one", "g/v1", inV1],
    ["two", "g/v2", inV2],
    ["three", "g/v3", inV1],
    ["four", "g/v4", inV1],
  );
  const ofScale = managers(["scaler", "autoscaling/v1", { "f:spec": { "f:replicas": {} } }]);
  assert.deepEqual(shown(managersAfterScale(ofObject, ofScale, "g/v2", replicasIn)), [
    ["one", "g/v1", { "f:spec": { "f:host": {} } }],
    ["two", "g/v2", { "f:spec": { "f:hostname": {} } }],
    ["three", "g/v3", inV1],
    ["scaler", "g/v2", { "f:spec": { "f:size": { "f:count": {} } } }],
  ]);
});
