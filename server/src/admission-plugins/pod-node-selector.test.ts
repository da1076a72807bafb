import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { testParts } from "./plugin.test.support.js";
import { podNodeSelector } from "./pod-node-selector.js";

const annotation = "scheduler.alpha.kubernetes.io/node-selector";

async function ask(
  annotations: JsonObject,
  nodeSelector: JsonObject,
  podNodeSelectorPluginConfig?: JsonObject,
): Promise<PluginAnswer> {
  const objects = { namespaces: [{ metadata: { name: "n", annotations } }] };
  const configuration =
    podNodeSelectorPluginConfig === undefined ? {} : { configuration: { podNodeSelectorPluginConfig } };
  const plugin = await podNodeSelector(testParts({ objects, ...configuration }));
  return askPlugin(plugin, {
    resource: "pods",
    kind: "Pod",
    object: { metadata: { name: "p" }, spec: { nodeSelector } },
  });
}

test("pods get the node labels of their namespace, or those of all", async () => {
  const own = await ask({ [annotation]: "a=1, b=2" }, { c: "3" }, { clusterDefaultNodeSelector: "d=4" });
  assert.deepEqual(own.object?.["spec"], { nodeSelector: { a: "1", b: "2", c: "3" } });
  const all = await ask({}, {}, { clusterDefaultNodeSelector: "d=4" });
  assert.deepEqual(all.object?.["spec"], { nodeSelector: { d: "4" } });
});

test("pods that want other nodes are refused", async () => {
  assert.deepEqual((await ask({ [annotation]: "a=1" }, { a: "2" })).refusal, [
    403,
    'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
  ]);
  assert.deepEqual((await ask({}, { c: "3" }, { n: "a=1" })).refusal, [
    403,
    'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
  ]);
});

test("an annotation that cannot be read is told as v1.29 tells it, with 403", async () => {
  assert.deepEqual((await ask({ [annotation]: "a" }, {})).refusal, [403, "invalid selector: [a]"]);
});

test("a configuration that cannot be read ends the start", async () => {
  await assert.rejects(ask({}, {}, { n: "a" }), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.deepEqual(
      error.problems.map(({ message }) => message),
      ["podNodeSelectorPluginConfig.n: invalid selector: [a]"],
    );
    return true;
  });
});
