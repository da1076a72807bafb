import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type JsonArray, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { testParts } from "../plugin.test.support.js";
import { podTolerationRestriction } from "./pod-toleration-restriction.js";

const header = { apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1", kind: "Configuration" };
const x = { key: "x", operator: "Exists" };
const y = { key: "y", operator: "Exists" };
const prefix = "scheduler.alpha.kubernetes.io/";

async function ask(annotations: JsonObject, spec: JsonObject, configuration: JsonObject = {}): Promise<PluginAnswer> {
  const objects = { namespaces: [{ metadata: { name: "n", annotations } }] };
  const plugin = await podTolerationRestriction(testParts({ objects, configuration: { ...header, ...configuration } }));
  return askPlugin(plugin, { resource: "pods", kind: "Pod", object: { metadata: { name: "p" }, spec } });
}

async function tolerationsOf(...given: Parameters<typeof ask>): Promise<unknown> {
  const { object, refusal } = await ask(...given);
  assert.equal(refusal, undefined);
  return objectAt(object, "spec")["tolerations"];
}

test("pods get the tolerations of their namespace, or those of all", async () => {
  const inAll = { default: [y] as JsonArray };
  assert.deepEqual(await tolerationsOf({ [`${prefix}defaultTolerations`]: JSON.stringify([x]) }, {}, inAll), [x]);
  assert.deepEqual(await tolerationsOf({}, {}, inAll), [y]);
  assert.equal(await tolerationsOf({ [`${prefix}defaultTolerations`]: "" }, {}, inAll), undefined);
});

test("pods that ask for something tolerate that memory is short", async () => {
  const containers = [{ resources: { requests: { cpu: "1" } } }];
  assert.deepEqual(await tolerationsOf({}, { containers }), [
    { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  ]);
});

test("tolerations that are not allowed are refused", async () => {
  const text = "pod tolerations (possibly merged with namespace default tolerations) conflict with its";
  const own = await ask({ [`${prefix}tolerationsWhitelist`]: JSON.stringify([x]) }, { tolerations: [y] });
  assert.deepEqual(own.refusal, [403, `${text} namespace whitelist`]);
  const all = await ask({}, { tolerations: [y] }, { whitelist: [x] });
  assert.deepEqual(all.refusal, [403, `${text} cluster whitelist`]);
});

test("annotations that cannot be read refuse every pod", async () => {
  assert.equal((await ask({ [`${prefix}defaultTolerations`]: "{" }, {})).refusal?.[0], 403);
});

test("a configuration with tolerations that are none ends the start", async () => {
  await assert.rejects(ask({}, {}, { default: [{ key: "x", operator: "Sometimes" }] }), ConfigurationError);
});
