import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin } from "@gatehouse/apiserver/admission/testing";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { defaultIngressClass } from "./default-ingress-class.js";
import { testParts } from "./plugin.test.support.js";

const annotation = "ingressclass.kubernetes.io/is-default-class";

async function classOf(classes: readonly JsonObject[], metadata: JsonObject, spec: JsonObject): Promise<unknown> {
  const plugin = defaultIngressClass(testParts({ objects: { "networking.k8s.io/ingressclasses": classes } }));
  const write = { group: "networking.k8s.io", resource: "ingresses", kind: "Ingress", object: { metadata, spec } };
  const { object } = await askPlugin(plugin, write);
  return valueAt(object, "spec", "ingressClassName");
}

test("an ingress without a class gets the newest default one", async () => {
  const ingressClass = (name: string, day: number, value: string): JsonObject => ({
    metadata: { name, creationTimestamp: `2026-01-0${day}T00:00:00Z`, annotations: { [annotation]: value } },
  });
  const classes = [ingressClass("a", 1, "true"), ingressClass("b", 2, "true"), ingressClass("c", 3, "True")];
  assert.equal(await classOf(classes, { name: "i" }, {}), "b");
  assert.equal(await classOf(classes, { name: "i" }, { ingressClassName: "x" }), "x");
  assert.equal(await classOf(classes, { annotations: { "kubernetes.io/ingress.class": "" } }, {}), undefined);
  assert.equal(await classOf([], { name: "i" }, {}), undefined);
});
