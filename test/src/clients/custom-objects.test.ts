import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import {
  ApiException,
  ApiextensionsV1Api,
  ApiregistrationV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  PatchStrategy,
  setHeaderOptions,
  type V1CustomResourceDefinition,
  type V1Status,
  Watch,
} from "@kubernetes/client-node";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

interface Ship extends KubernetesObject {
  spec?: { readonly cargo?: string; readonly replicas?: number };
  status?: { readonly place?: string };
}

const group = "fleet.example.com";
const ships = { group, version: "v1", namespace: "default", plural: "ships" };

const definition: V1CustomResourceDefinition = {
  metadata: { name: `ships.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "ships", singular: "ship", kind: "Ship", shortNames: ["sh"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { cargo: { type: "string", _default: "tea" }, replicas: { type: "integer", minimum: 0 } },
              },
              status: { type: "object", properties: { place: { type: "string" }, replicas: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

let server: ControlPlane;
const config = new KubeConfig();

before(async () => {
  server = await startTestServer();
  config.loadFromFile(await server.kubeconfigFile());
  const definitions = config.makeApiClient(ApiextensionsV1Api);
  await definitions.createCustomResourceDefinition({ body: definition });
  await until("the definition is established", async () => {
    const { status } = await definitions.readCustomResourceDefinition({ name: `ships.${group}` });
    return status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") === true;
  });
});
after(async () => await server.stop());

const objects = (): CustomObjectsApi => config.makeApiClient(CustomObjectsApi);
const ship = (name: string, spec: Ship["spec"] = {}): Ship => ({
  apiVersion: `${group}/v1`,
  kind: "Ship",
  metadata: { name, labels: { made: "here" } },
  spec,
});

async function refusal(call: Promise<unknown>): Promise<V1Status> {
  const error = await call.then(
    () => assert.fail("the call succeeded"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiException, String(error));
  return (typeof error.body === "string" ? JSON.parse(error.body) : error.body) as V1Status;
}

test("custom objects are created, read, listed, replaced and deleted", async () => {
  const created = (await objects().createNamespacedCustomObject({ ...ships, body: ship("one") })) as Ship;
  assert.deepEqual(created.spec, { cargo: "tea" });
  const one = { ...ships, name: "one" };
  assert.deepEqual(await objects().getNamespacedCustomObject(one), created);
  const body: Ship = { ...created, spec: { cargo: "salt", replicas: 2 } };
  const replaced = (await objects().replaceNamespacedCustomObject({ ...one, body })) as Ship;
  assert.deepEqual([replaced.spec, replaced.metadata?.generation], [{ cargo: "salt", replicas: 2 }, 2]);
  const conflict = await refusal(objects().replaceNamespacedCustomObject({ ...one, body }));
  assert.deepEqual([conflict.code, conflict.reason], [409, "Conflict"]);
  const list = (await objects().listNamespacedCustomObject({ ...ships, labelSelector: "made=here" })) as {
    kind: string;
    items: Ship[];
  };
  assert.deepEqual([list.kind, list.items.map(({ metadata }) => metadata?.name)], ["ShipList", ["one"]]);
  const everywhere = (await objects().listClusterCustomObject(ships)) as { items: Ship[] };
  assert.equal(everywhere.items.length, 1);
  const deleted = (await objects().deleteNamespacedCustomObject(one)) as V1Status;
  assert.deepEqual([deleted.kind, deleted.status], ["Status", "Success"]);
  const gone = await refusal(objects().getNamespacedCustomObject(one));
  assert.equal(gone.message, `ships.${group} "one" not found`);
});

test("custom objects are patched in every way, and their status and scale by themselves", async () => {
  await objects().createNamespacedCustomObject({ ...ships, body: ship("two", { replicas: 1 }) });
  const two = { ...ships, name: "two" };
  const merged = (await objects().patchNamespacedCustomObject(
    { ...two, body: { spec: { cargo: "rice" }, status: { place: "harbour" } } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  )) as Ship;
  assert.deepEqual([merged.spec, merged.status], [{ cargo: "rice", replicas: 1 }, undefined]);
  const inPort = (await objects().patchNamespacedCustomObjectStatus(
    { ...two, body: { spec: { cargo: "coal" }, status: { place: "harbour" } } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  )) as Ship;
  assert.deepEqual([inPort.spec?.cargo, inPort.status], ["rice", { place: "harbour" }]);
  const byPointer = (await objects().patchNamespacedCustomObject(
    { ...two, body: [{ op: "replace", path: "/spec/cargo", value: "wool" }] },
    setHeaderOptions("Content-Type", PatchStrategy.JsonPatch),
  )) as Ship;
  assert.equal(byPointer.spec?.cargo, "wool");
  const applied = (await objects().patchNamespacedCustomObject(
    { ...two, fieldManager: "captain", force: true, body: ship("two", { cargo: "ivory" }) },
    setHeaderOptions("Content-Type", PatchStrategy.ServerSideApply),
  )) as Ship;
  assert.equal(applied.spec?.cargo, "ivory");
  assert.ok(
    applied.metadata?.managedFields?.some(({ manager, operation }) => `${manager} ${operation}` === "captain Apply"),
  );
  const scaled = (await objects().patchNamespacedCustomObjectScale(
    { ...two, body: { spec: { replicas: 4 } } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  )) as { kind: string; spec: unknown };
  assert.deepEqual([scaled.kind, scaled.spec], ["Scale", { replicas: 4 }]);
  const refused = await refusal(
    objects().patchNamespacedCustomObject(
      { ...two, body: { spec: { replicas: -1 } } },
      setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
    ),
  );
  assert.equal(
    refused.message,
    `Ship.${group} "two" is invalid: [spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0, .spec.replicas: Invalid value: -1: should be a non-negative integer]`,
  );
});

test("a watch tells of custom objects, and a collection is deleted at once", async () => {
  const seen: string[] = [];
  const watch = await new Watch(config).watch(
    `/apis/${group}/v1/namespaces/default/ships`,
    { labelSelector: "made=here" },
    (phase: string, object: Ship) => seen.push(`${phase} ${object.metadata?.name}`),
    () => {},
  );
  await objects().createNamespacedCustomObject({ ...ships, body: ship("three") });
  await until("the watch has seen it", () => Promise.resolve(seen.includes("ADDED three")));
  await objects().deleteCollectionNamespacedCustomObject(ships);
  await until("the watch has seen the end", () => Promise.resolve(seen.includes("DELETED three")));
  watch.abort();
});

test("the group version of a definition has an APIService that is available", async () => {
  const { items } = await config.makeApiClient(ApiregistrationV1Api).listAPIService();
  const [own] = items.filter(({ metadata }) => metadata?.name === `v1.${group}`);
  assert.deepEqual(
    [own?.spec?.groupPriorityMinimum, own?.status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)],
    [1000, ["Available Local"]],
  );
  assert.ok(items.some(({ metadata }) => metadata?.name === "v1.apps"));
});
