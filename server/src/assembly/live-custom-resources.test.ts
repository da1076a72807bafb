import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { observeCache } from "@gatehouse/apiserver/client";
import { openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { definitionOfThings, definitions, serveDefinitions } from "../served-definitions.test.support.js";

const group = "brief.example.com";
const things = { group, resource: "things" };

const v1 = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } },
};

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks++) {
    assert.ok(looks < 3000, what);
    await wait(10);
  }
}

interface Reference {
  readonly name: string;
  readonly reference: WeakRef<object>;
}

/** Serves and watches a resource once, and returns weak references to all that is held of it meanwhile. */
async function serveOnce(plane: TestControlPlane): Promise<readonly Reference[]> {
  const { liveRegistry, client, signal } = plane;
  const isServed = (): boolean => liveRegistry.current.findAnyVersion(group, "things") !== undefined;
  await client.create(definitions, definitionOfThings(group, "Cluster", [v1]));
  await until("it is served", isServed);
  const served = liveRegistry.current.findAnyVersion(group, "things");
  assert.ok(served !== undefined);
  await client.create(things, { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "one" } });
  const seen: string[] = [];
  await observeCache(
    served.storage,
    {
      onList: (objects) => seen.push(...objects.map(({ name }) => `listed ${name}`)),
      onEvent: ({ type, name }) => seen.push(`${type} ${name}`),
      onError: (error) => seen.push(String(error)),
    },
    signal,
  );
  assert.deepEqual(seen, ["listed one"]);
  const schema = served.schema;
  assert.ok(schema !== undefined);
  const held = { served, storage: served.storage, cache: served.storage.cache, schema };
  const references = Object.entries(held).map(([name, object]) => ({ name, reference: new WeakRef<object>(object) }));
  await client.delete(definitions, "", `things.${group}`);
  await until("it is not served any more", () => !isServed());
  assert.deepEqual(seen, ["listed one", "DELETED one"]);
  return references;
}

test("of a definition that is gone nothing is kept, neither its schemas nor its cache", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await using plane = await openTestControlPlane();
  await serveDefinitions(plane);
  const held = await serveOnce(plane);
  let left: readonly string[] = [];
  for (let looks = 0; looks < 1000; looks++) {
    await wait(10);
    collect();
    left = held.filter(({ reference }) => reference.deref() !== undefined).map(({ name }) => name);
    if (left.length === 0) {
      break;
    }
  }
  assert.deepEqual(left, []);
  assert.deepEqual(plane.errors, []);
});

test("clients that name no version get the one that ranks first, whichever is stored", async () => {
  await using plane = await openTestControlPlane();
  await serveDefinitions(plane);
  const { liveRegistry, client } = plane;
  const unstored = (name: string) => ({ ...v1, name, storage: false });
  await client.create(definitions, definitionOfThings(group, "Cluster", [unstored("v2beta1"), v1, unstored("v2")]));
  await until("it is served", () => client.findPreferred(things) !== undefined);
  assert.equal(client.findPreferred(things)?.version, "v2");
  assert.equal(liveRegistry.current.findAnyVersion(group, "things")?.version, "v1");
});
