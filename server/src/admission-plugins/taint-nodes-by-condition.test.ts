import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin } from "@gatehouse/apiserver/admission/testing";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { taintNodesByCondition } from "./taint-nodes-by-condition.js";

const taint = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };
const write = { resource: "nodes", kind: "Node", namespace: "" };

async function taintsOf(spec: JsonObject): Promise<unknown> {
  const { object } = await askPlugin(taintNodesByCondition(), { ...write, object: { spec } });
  return objectAt(object, "spec")["taints"];
}

test("a new node gets the taint behind those that it has, once", async () => {
  assert.deepEqual(await taintsOf({}), [taint]);
  assert.deepEqual(await taintsOf({ taints: [{ ...taint, effect: "NoExecute" }] }), [
    { ...taint, effect: "NoExecute" },
    taint,
  ]);
  assert.deepEqual(await taintsOf({ taints: [{ ...taint, value: "x" }] }), [{ ...taint, value: "x" }]);
});

test("a node that is changed gets none", async () => {
  const { object } = await askPlugin(taintNodesByCondition(), { ...write, operation: "UPDATE", object: { spec: {} } });
  assert.deepEqual(object, { spec: {} });
});
