import assert from "node:assert/strict";
import { test } from "node:test";
import { type Controller, runController } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { definitionFinalizing } from "@gatehouse/custom-resources/controllers";
import { customResourceDefinitions } from "@gatehouse/custom-resources/definition";
import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { builtinGroups } from "../../kinds/builtin-resources.js";
import { apiServices } from "../core-resources.js";
import { apiServiceRegistration } from "./registration.js";

const label = "kube-aggregator.kubernetes.io/automanaged";

function registration(plane: TestControlPlane): Controller {
  const { client, liveRegistry, errors } = plane;
  return apiServiceRegistration({ client, liveRegistry, builtinGroups, onError: (error) => errors.push(error) });
}

function apiService(group: string, labels: Record<string, string>): JsonObject {
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name: `v1.${group}`, labels },
    spec: { group, version: "v1", groupPriorityMinimum: 1000, versionPriority: 100 },
  };
}

function definition(plural: string, served: Record<string, boolean>): JsonObject {
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: `${plural}.shop.example` },
    spec: {
      group: "shop.example",
      scope: "Namespaced",
      names: { plural, kind: plural, listKind: `${plural}List`, singular: plural },
      versions: Object.entries(served).map(([name, isServed], index) => ({
        name,
        served: isServed,
        storage: index === 0,
        schema,
      })),
    },
  };
}

async function names(plane: TestControlPlane): Promise<readonly string[]> {
  return (await plane.client.list(apiServices, "")).map(({ name }) => name);
}

async function summaries(plane: TestControlPlane): Promise<readonly string[]> {
  return (await plane.client.list(apiServices, "")).map(({ name, entry }) => {
    const object = entry.object();
    const { groupPriorityMinimum, versionPriority } = objectAt(object, "spec");
    const [condition] = listAt(object, "status", "conditions");
    const available = isJsonObject(condition) ? `${textAt(condition, "type")} ${textAt(condition, "reason")}` : "";
    return `${name} ${groupPriorityMinimum}/${versionPriority} ${metaOf(object).labels?.[label]} ${available}`;
  });
}

/** The API services of v1.29 after a start with its default flags. */
const builtin = [
  "v1. 18000/1 onstart Available Local",
  "v1.admissionregistration.k8s.io 16700/15 onstart Available Local",
  "v1.apiextensions.k8s.io 16700/15 onstart Available Local",
  "v1.apps 17800/15 onstart Available Local",
  "v1.authentication.k8s.io 17700/15 onstart Available Local",
  "v1.authorization.k8s.io 17600/15 onstart Available Local",
  "v1.autoscaling 17500/15 onstart Available Local",
  "v1.batch 17400/15 onstart Available Local",
  "v1.certificates.k8s.io 17300/15 onstart Available Local",
  "v1.coordination.k8s.io 16500/15 onstart Available Local",
  "v1.discovery.k8s.io 16200/15 onstart Available Local",
  "v1.events.k8s.io 17750/15 onstart Available Local",
  "v1.flowcontrol.apiserver.k8s.io 16100/21 onstart Available Local",
  "v1.networking.k8s.io 17200/15 onstart Available Local",
  "v1.node.k8s.io 16300/15 onstart Available Local",
  "v1.policy 17100/15 onstart Available Local",
  "v1.rbac.authorization.k8s.io 17000/15 onstart Available Local",
  "v1.scheduling.k8s.io 16600/15 onstart Available Local",
  "v1.storage.k8s.io 16800/15 onstart Available Local",
  "v1beta3.flowcontrol.apiserver.k8s.io 16100/18 onstart Available Local",
  "v2.autoscaling 17500/30 onstart Available Local",
];

test("each group version that is built in has an API service, as in v1.29", async () => {
  await using plane = await openTestControlPlane();
  plane.start(registration(plane));
  await eventually(async () => assert.deepEqual(await summaries(plane), builtin));
  assert.deepEqual(plane.errors, []);
});

test("whoever deletes the API service of a built-in group has his way until the next start", async () => {
  await using plane = await openTestControlPlane();
  const stopping = new AbortController();
  const onError = (_name: string, error: unknown): unknown => plane.errors.push(error);
  const running = runController(registration(plane), { signal: stopping.signal, onError });
  await eventually(async () => assert.deepEqual(await summaries(plane), builtin));
  const all = await names(plane);
  await plane.client.delete(apiServices, "", "v1.apps");
  // A definition is heard of after that: when its API service is there, the other would be, too.
  await plane.make(customResourceDefinitions, definition("carts", { v1: true }));
  await eventually(async () => assert.ok((await names(plane)).includes("v1.shop.example")));
  assert.equal((await names(plane)).includes("v1.apps"), false);
  stopping.abort();
  await running;
  plane.start(registration(plane));
  await eventually(async () => assert.deepEqual(await names(plane), [...all, "v1.shop.example"].sort()));
  assert.deepEqual(plane.errors, []);
});

test("at the start, what is managed and no longer wanted goes, and what is not right is made right", async () => {
  await using plane = await openTestControlPlane();
  await plane.make(apiServices, apiService("apps", { [label]: "onstart" }));
  await plane.make(apiServices, apiService("gone.example", { [label]: "onstart" }));
  await plane.make(apiServices, apiService("undefined.example", { [label]: "true" }));
  await plane.make(apiServices, apiService("other.example", {}));
  await plane.make(apiServices, apiService("batch", {}));
  plane.start(registration(plane));
  await eventually(async () => {
    const now = await summaries(plane);
    assert.ok(now.includes("v1.apps 17800/15 onstart Available Local"));
    assert.ok(now.includes("v1.batch 1000/100 undefined Available Local"), "nobody asked for its management");
    assert.deepEqual(
      now.filter((line) => line.includes(".example")),
      ["v1.other.example 1000/100 undefined Available Local"],
    );
  });
  assert.deepEqual(plane.errors, []);
});

test("the API services of definitions come, are kept right and go with what is served of them", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  plane.start(registration(plane));
  plane.start(definitionFinalizing({ client, now: Date.now, onError: (error) => errors.push(error) }));
  const ofShop = async (): Promise<readonly string[]> =>
    (await summaries(plane)).filter((line) => line.includes("shop.example"));
  await plane.make(customResourceDefinitions, definition("carts", { v1: true, v1beta1: true, v2: false }));
  await plane.make(customResourceDefinitions, definition("orders", { v1: true }));
  await eventually(async () =>
    assert.deepEqual(await ofShop(), [
      "v1.shop.example 1000/100 true Available Local",
      "v1beta1.shop.example 1000/100 true Available Local",
    ]),
  );
  await client.update(apiServices, { namespace: "", name: "v1.shop.example" }, (object) => ({
    ...object,
    spec: { ...objectAt(object, "spec"), versionPriority: 7 },
  }));
  await client.delete(apiServices, "", "v1beta1.shop.example");
  await eventually(async () =>
    assert.deepEqual(await ofShop(), [
      "v1.shop.example 1000/100 true Available Local",
      "v1beta1.shop.example 1000/100 true Available Local",
    ]),
  );
  await client.delete(customResourceDefinitions, "", "carts.shop.example");
  await eventually(async () => assert.deepEqual(await ofShop(), ["v1.shop.example 1000/100 true Available Local"]));
  await client.delete(customResourceDefinitions, "", "orders.shop.example");
  await eventually(async () => assert.deepEqual(await ofShop(), []));
  assert.deepEqual(plane.errors, []);
});
