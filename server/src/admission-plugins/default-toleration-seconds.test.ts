import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin } from "@gatehouse/apiserver/admission/testing";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { defaultTolerationSeconds } from "./default-toleration-seconds.js";
import { testParts } from "./plugin.test.support.js";

const plugin = defaultTolerationSeconds({
  settings: { ...testParts().settings, notReadyTolerationSeconds: 5, unreachableTolerationSeconds: 7 },
});
const notReady = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 };
const unreachable = { ...notReady, key: "node.kubernetes.io/unreachable", tolerationSeconds: 7 };

async function tolerationsOf(tolerations: JsonObject[] | undefined): Promise<unknown> {
  const spec: JsonObject = tolerations === undefined ? {} : { tolerations };
  const { object } = await askPlugin(plugin, { resource: "pods", kind: "Pod", object: { spec } });
  return objectAt(object, "spec")["tolerations"];
}

test("pods stay on a node in trouble as long as the flags say", async () => {
  assert.deepEqual(await tolerationsOf(undefined), [notReady, unreachable]);
});

test("pods that say what happens are left alone, whatever they say", async () => {
  const own = { key: "node.kubernetes.io/not-ready", operator: "Equal", value: "x" };
  assert.deepEqual(await tolerationsOf([own]), [own, unreachable]);
  assert.deepEqual(await tolerationsOf([{ operator: "Exists" }]), [{ operator: "Exists" }]);
});

test("a toleration of another effect says nothing of it", async () => {
  const other = { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoSchedule" };
  assert.deepEqual(await tolerationsOf([other]), [other, notReady, unreachable]);
});
