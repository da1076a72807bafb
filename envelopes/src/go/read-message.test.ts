import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "../json/json.js";
import { messageSchema } from "../schema/index.js";
import { readGoMessage } from "./read-message.js";

const schema = messageSchema("k8s.io.api.autoscaling.v1.MetricSpec");
const pods = { metricName: "q", targetAverageValue: "500m" };

const rows: readonly (readonly [name: string, value: JsonValue, read: JsonValue | undefined])[] = [
  ["names in any case", { TYPE: "Pods", pods: { MetricName: "q", targetaveragevalue: ".5" } }, { type: "Pods", pods }],
  ["names in both cases", { type: "Pods", Type: "Object", pods }, { type: "Pods", pods }],
  [
    "members that are not declared",
    { type: "Pods", pods: { ...pods, ["__proto__"]: {}, x: 1 } },
    { type: "Pods", pods },
  ],
  ["null", null, { type: "" }],
  ["a number for a text", { type: 7 }, undefined],
  ["an amount that is none", { type: "Pods", pods: { ...pods, targetAverageValue: "abc" } }, undefined],
  ["a list", [], undefined],
];

for (const [name, value, read] of rows) {
  test(`${name} is read as Go reads it`, () => {
    assert.deepEqual(readGoMessage(schema, value), read);
  });
}
