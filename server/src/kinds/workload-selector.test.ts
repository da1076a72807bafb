import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes";
import { builtinResources } from "./index.js";

type Row = readonly [name: string, resource: string, selector: JsonValue, errors: readonly string[]];

const nothing =
  "v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}";
const odd = { matchExpressions: [{ key: "k", operator: "Odd" }] };
const shownOdd =
  'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"k", Operator:"Odd", Values:[]string(nil)}}}';
const mismatch =
  'spec.template.metadata.labels: Invalid value: map[string]string{"a":"b", "c":"d"}: `selector` does not match template `labels`';

const rows: readonly Row[] = [
  ["a selector that finds the pods is right", "deployments", { matchLabels: { a: "b" } }, []],
  ["a deployment finds its own pods", "deployments", { matchLabels: { a: "x" } }, [mismatch]],
  ["no selector finds no pods", "deployments", null, [mismatch]],
  [
    "an empty selector is none",
    "deployments",
    {},
    [`spec.selector: Invalid value: ${nothing}: empty selector is invalid for deployment`],
  ],
  [
    "a misshapen selector is named once more",
    "deployments",
    odd,
    [`spec.selector: Invalid value: ${shownOdd}: invalid label selector`],
  ],
  ["a replica set finds its own pods", "replicasets", { matchLabels: { a: "x" } }, [mismatch]],
  [
    "an empty selector of a replica set is one of a deployment to v1.29",
    "replicasets",
    {},
    [`spec.selector: Invalid value: ${nothing}: empty selector is invalid for deployment`],
  ],
  ["a stateful set finds its own pods", "statefulsets", { matchLabels: { a: "x" } }, [mismatch]],
  [
    "a misshapen selector of a stateful set is shown",
    "statefulsets",
    odd,
    [`spec.selector: Invalid value: ${shownOdd}`],
  ],
  ["a daemon set finds its own pods", "daemonsets", { matchLabels: { a: "x" } }, [mismatch]],
  ["a misshapen selector of a daemon set is told of once", "daemonsets", odd, []],
  [
    "an empty selector of a daemon set is none",
    "daemonsets",
    {},
    [`spec.selector: Invalid value: ${nothing}: empty selector is invalid for daemonset`],
  ],
  ["a replication controller finds its own pods", "replicationcontrollers", { a: "x" }, [mismatch]],
  ["the labels of a replication controller are its selector", "replicationcontrollers", { c: "d" }, []],
];

function workload(selector: JsonValue, spec: JsonObject = {}): JsonObject {
  return { spec: { selector, template: { metadata: { labels: { c: "d", a: "b" } } }, ...spec } };
}

function definitionOf(resource: string): (typeof builtinResources)[number] {
  const definition = builtinResources.find((item) => item.resource === resource);
  assert.ok(definition !== undefined);
  return definition;
}

for (const [name, resource, selector, errors] of rows) {
  test(name, () => {
    const found = definitionOf(resource).validate?.(workload(selector)) ?? [];
    assert.deepEqual(
      found.map(({ field, message }) => `${field}: ${message}`),
      errors,
    );
  });
}

const changed = {
  matchLabels: { a: "b" },
  matchExpressions: [{ key: "c", operator: "In", values: ["d", "e"] }],
};
const shownChanged =
  'v1.LabelSelector{MatchLabels:map[string]string{"a":"b"}, MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"c", Operator:"In", Values:[]string{"d", "e"}}}}';

for (const resource of ["deployments", "replicasets", "daemonsets", "jobs"]) {
  test(`the selector of ${resource} cannot be changed`, () => {
    const { validateUpdate } = definitionOf(resource);
    const old = workload({ matchLabels: { a: "b" } });
    assert.deepEqual(validateUpdate?.(old, old), []);
    const texts = validateUpdate?.(workload(changed), old).map(({ field, message }) => `${field}: ${message}`);
    assert.deepEqual(texts, [`spec.selector: Invalid value: ${shownChanged}: field is immutable`]);
    const removed = validateUpdate?.(workload(null), old).map(({ field, message }) => `${field}: ${message}`);
    assert.equal(removed?.at(-1), 'spec.selector: Invalid value: "null": field is immutable');
  });
}

test("of a stateful set only what names no pods can be changed", () => {
  const { validateUpdate } = definitionOf("statefulsets");
  const old = workload({ matchLabels: { a: "b" } }, { serviceName: "s", replicas: 1 });
  assert.deepEqual(validateUpdate?.(workload({ matchLabels: { a: "b" } }, { serviceName: "s", replicas: 2 }), old), []);
  assert.deepEqual(validateUpdate?.(workload({ matchLabels: { a: "b" } }, { serviceName: "t", replicas: 1 }), old), [
    {
      type: "FieldValueForbidden",
      field: "spec",
      message:
        "Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    },
  ]);
});

test("a deployment that recreates its pods has nothing to say of rolling", () => {
  const strategy = { type: "Recreate", rollingUpdate: { maxSurge: 1 } };
  assert.deepEqual(definitionOf("deployments").validate?.(workload({ matchLabels: { a: "b" } }, { strategy })), [
    {
      type: "FieldValueForbidden",
      field: "spec.strategy.rollingUpdate",
      message: "Forbidden: may not be specified when strategy `type` is 'Recreate'",
    },
  ]);
});
