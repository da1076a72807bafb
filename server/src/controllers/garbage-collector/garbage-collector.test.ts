import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import fc from "fast-check";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { definitionOfThings, definitions, serveDefinitions } from "../../served-definitions.test.support.js";
import { configMaps, events, namespaces } from "../core-resources.js";
import { garbageCollector } from "./garbage-collector.js";

interface Owner {
  readonly name: string;
  readonly uid: string;
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly blockOwnerDeletion?: boolean;
}

function reference(owner: Owner): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", ...owner };
}

async function open(collect = true): Promise<TestControlPlane> {
  const plane = await openTestControlPlane();
  await plane.makeNamespace("a");
  if (collect) {
    startCollector(plane);
  }
  return plane;
}

function startCollector(plane: TestControlPlane): void {
  const { client, errors } = plane;
  plane.start(garbageCollector({ client, now: Date.now, onError: (error) => errors.push(error) }));
}

async function make(
  plane: TestControlPlane,
  name: string,
  owners: readonly Owner[] = [],
  more: { readonly namespace?: string; readonly finalizers?: string[] } = {},
): Promise<Owner> {
  const metadata = { namespace: "a", name, ownerReferences: owners.map(reference), ...more };
  return { name, uid: await plane.make(configMaps, { kind: "ConfigMap", apiVersion: "v1", metadata }) };
}

async function names(plane: TestControlPlane, namespace = "a"): Promise<string[]> {
  return (await plane.client.list(configMaps, namespace)).map(({ name }) => name);
}

/** Returns the Events of a namespace about owners in another one, by what they say and the object that they are about. */
async function reports(plane: TestControlPlane, namespace: string): Promise<JsonObject[]> {
  const objects = (await plane.client.list(events, namespace)).map(({ entry }) => entry.object());
  return objects
    .filter((object) => textAt(object, "reason") === "OwnerRefInvalidNamespace")
    .map((object) => ({ message: textAt(object, "message"), involvedObject: objectAt(object, "involvedObject") }));
}

async function ownersOf(plane: TestControlPlane, name: string): Promise<string[]> {
  const object = await plane.client.get(configMaps, "a", name);
  return listAt(object, "metadata", "ownerReferences").map((owner) => textAt(owner, "name"));
}

async function removeFinalizer(plane: TestControlPlane, name: string, finalizer: string): Promise<void> {
  await plane.client.update(configMaps, { namespace: "a", name }, (object) => {
    const meta = metaOf(object);
    meta.finalizers = (meta.finalizers ?? []).filter((other) => other !== finalizer);
    return object;
  });
}

test("dependents of a deleted owner are deleted, and theirs, and nothing else", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  const child = await make(plane, "child", [owner]);
  await make(plane, "grandchild", [child]);
  const other = await make(plane, "other");
  await make(plane, "others-child", [other]);
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Background" });
  await eventually(async () => assert.deepEqual(await names(plane), ["other", "others-child"]));
  assert.deepEqual(plane.errors, []);
});

test("what happened while no collector ran is made up for when it starts", async () => {
  await using plane = await open(false);
  const owner = await make(plane, "owner");
  await make(plane, "child", [owner]);
  const kept = await make(plane, "kept");
  await make(plane, "kept-child", [kept]);
  await plane.client.delete(configMaps, "a", "owner");
  startCollector(plane);
  await eventually(async () => assert.deepEqual(await names(plane), ["kept", "kept-child"]));
});

test("an object with another owner left only loses the reference to the one that is gone", async () => {
  await using plane = await open();
  const [first, second] = [await make(plane, "first"), await make(plane, "second")];
  await make(plane, "shared", [first, second]);
  await plane.client.delete(configMaps, "a", "first");
  await eventually(async () => assert.deepEqual(await ownersOf(plane, "shared"), ["second"]));
  await plane.client.delete(configMaps, "a", "second");
  await eventually(async () => assert.deepEqual(await names(plane), []));
});

test("an owner of the same name with another uid is another object", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  await make(plane, "child", [owner]);
  await make(plane, "impostor-child", [{ name: "owner", uid: "someone-else" }]);
  await eventually(async () => assert.deepEqual(await names(plane), ["child", "owner"]));
  await plane.client.delete(configMaps, "a", "owner");
  await make(plane, "owner");
  await eventually(async () => assert.deepEqual(await names(plane), ["owner"]));
});

test("an object that gets its owner later is collected with it", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  await make(plane, "adopted");
  await plane.client.update(configMaps, { namespace: "a", name: "adopted" }, (object) => {
    metaOf(object)["ownerReferences"] = [reference(owner)];
    return object;
  });
  await plane.client.delete(configMaps, "a", "owner");
  await eventually(async () => assert.deepEqual(await names(plane), []));
});

test("an object that has let go of its owner stays", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  await make(plane, "freed", [owner]);
  const last = await make(plane, "last");
  await make(plane, "last-child", [last]);
  await plane.client.update(configMaps, { namespace: "a", name: "freed" }, (object) => {
    delete metaOf(object)["ownerReferences"];
    return object;
  });
  await plane.client.delete(configMaps, "a", "owner");
  await plane.client.delete(configMaps, "a", "last");
  await eventually(async () => assert.deepEqual(await names(plane), ["freed"]));
});

test("in the foreground, the owner stays until the dependents that block it are gone", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  await make(plane, "blocking", [{ ...owner, blockOwnerDeletion: true }], { finalizers: ["example.com/x"] });
  await make(plane, "not-blocking", [owner]);
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Foreground" });
  await eventually(async () => assert.deepEqual(await names(plane), ["blocking", "owner"]));
  const blocking = await plane.client.get(configMaps, "a", "blocking");
  assert.notEqual(textAt(blocking, "metadata", "deletionTimestamp"), "");
  await removeFinalizer(plane, "blocking", "example.com/x");
  await eventually(async () => assert.deepEqual(await names(plane), []));
  assert.deepEqual(plane.errors, []);
});

test("in the foreground, dependents of dependents go first", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  const child = await make(plane, "child", [{ ...owner, blockOwnerDeletion: true }]);
  await make(plane, "grandchild", [{ ...child, blockOwnerDeletion: true }], { finalizers: ["example.com/x"] });
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Foreground" });
  const finalizers = async (name: string): Promise<unknown> =>
    metaOf((await plane.client.get(configMaps, "a", name)) ?? {}).finalizers;
  await eventually(async () => assert.deepEqual(await finalizers("child"), ["foregroundDeletion"]));
  assert.deepEqual(await names(plane), ["child", "grandchild", "owner"]);
  await removeFinalizer(plane, "grandchild", "example.com/x");
  await eventually(async () => assert.deepEqual(await names(plane), []));
});

test("an owner that waits lets a dependent go that has another owner", async () => {
  await using plane = await open();
  const [owner, other] = [await make(plane, "owner"), await make(plane, "other")];
  await make(plane, "shared", [{ ...owner, blockOwnerDeletion: true }, other]);
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Foreground" });
  await eventually(async () => assert.deepEqual(await names(plane), ["other", "shared"]));
  assert.deepEqual(await ownersOf(plane, "shared"), ["other"]);
});

test("objects that own each other in a circle can be deleted in the foreground", async () => {
  await using plane = await open();
  const first = await make(plane, "first");
  const second = await make(plane, "second", [{ ...first, blockOwnerDeletion: true }]);
  await plane.client.update(configMaps, { namespace: "a", name: "first" }, (object) => {
    metaOf(object)["ownerReferences"] = [reference({ ...second, blockOwnerDeletion: true })];
    return object;
  });
  await plane.client.delete(configMaps, "a", "first", { propagationPolicy: "Foreground" });
  await eventually(async () => assert.deepEqual(await names(plane), []));
});

test("dependents that are orphaned stay, without the reference", async () => {
  await using plane = await open();
  const [owner, other] = [await make(plane, "owner"), await make(plane, "other")];
  await make(plane, "one", [owner]);
  await make(plane, "two", [{ ...owner, blockOwnerDeletion: true }, other]);
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Orphan" });
  await eventually(async () => assert.deepEqual(await names(plane), ["one", "other", "two"]));
  assert.deepEqual(await ownersOf(plane, "one"), []);
  assert.deepEqual(await ownersOf(plane, "two"), ["other"]);
  assert.deepEqual(plane.errors, []);
});

test("an owner that was deleted before the collector started is seen to", async () => {
  await using plane = await open(false);
  const owner = await make(plane, "owner");
  await make(plane, "child", [{ ...owner, blockOwnerDeletion: true }]);
  const orphaner = await make(plane, "orphaner");
  await make(plane, "orphan", [orphaner]);
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Foreground" });
  await plane.client.delete(configMaps, "a", "orphaner", { propagationPolicy: "Orphan" });
  startCollector(plane);
  await eventually(async () => assert.deepEqual(await names(plane), ["orphan"]));
});

test("an owner in another namespace counts as gone, and an Event tells why", async () => {
  await using plane = await open();
  await plane.makeNamespace("b");
  const owner = await make(plane, "owner", [], { namespace: "b" });
  const child = await make(plane, "child", [owner]);
  await eventually(async () => assert.deepEqual(await names(plane), []));
  const message = `ownerRef [v1/ConfigMap, namespace: a, name: owner, uid: ${owner.uid}] does not exist in namespace "a"`;
  const involvedObject = { kind: "ConfigMap", apiVersion: "v1", namespace: "a", name: "child", uid: child.uid };
  await eventually(async () => assert.deepEqual(await reports(plane, "a"), [{ message, involvedObject }]));
  assert.deepEqual(await names(plane, "b"), ["owner"]);
  assert.deepEqual(plane.errors, []);
});

test("an object without a namespace is set free by an owner in one, wherever its reference leads", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  const metadata = { name: "freed", ownerReferences: [reference(owner)] };
  await plane.make(namespaces, { kind: "Namespace", apiVersion: "v1", metadata });
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Orphan" });
  await eventually(async () => assert.deepEqual(await names(plane), []));
  const freed = await plane.client.get(namespaces, "", "freed");
  assert.equal(objectAt(freed, "metadata")?.["ownerReferences"], undefined);
});

test("nobody manages the owner references of an object that has been set free, nor the finalizers of one without any", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  await make(plane, "freed", [owner]);
  const held = { namespace: "a", name: "held", finalizers: ["foregroundDeletion"] };
  await plane.make(configMaps, { kind: "ConfigMap", apiVersion: "v1", metadata: held });
  await removeFinalizer(plane, "held", "foregroundDeletion");
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Orphan" });
  await eventually(async () => assert.deepEqual(await names(plane), ["freed", "held"]));
  for (const name of ["freed", "held"]) {
    const object = await plane.client.get(configMaps, "a", name);
    assert.deepEqual(listAt(object, "metadata", "managedFields"), [], name);
  }
});

test("an owner waits for an object without a namespace that blocks it, and is not collected", async () => {
  await using plane = await open();
  const owner = await make(plane, "owner");
  const metadata = { name: "blocking", ownerReferences: [reference({ ...owner, blockOwnerDeletion: true })] };
  await plane.make(namespaces, { kind: "Namespace", apiVersion: "v1", metadata });
  await plane.client.delete(configMaps, "a", "owner", { propagationPolicy: "Foreground" });
  await make(plane, "witness", [{ name: "nobody", uid: "gone" }]);
  await eventually(async () => assert.deepEqual(await names(plane), ["owner"]));
  await plane.client.update(namespaces, { namespace: "", name: "blocking" }, (object) => {
    metaOf(object)["ownerReferences"] = [];
    return object;
  });
  await eventually(async () => assert.deepEqual(await names(plane), []));
});

test("the Event about an object of a custom kind names the version that clients prefer, whichever is stored", async () => {
  await using plane = await open();
  await plane.makeNamespace("b");
  await serveDefinitions(plane);
  const group = "collected.example.com";
  const schema = { openAPIV3Schema: { type: "object" } };
  const versions = [
    { name: "v1", served: true, storage: true, schema },
    { name: "v2", served: true, storage: false, schema },
  ];
  await plane.client.create(definitions, definitionOfThings(group, "Namespaced", versions));
  const things = { group, resource: "things" };
  await eventually(() => assert.equal(plane.client.findPreferred(things)?.version, "v2"));
  const owner = await make(plane, "owner", [], { namespace: "b" });
  const metadata = { namespace: "a", name: "child", ownerReferences: [reference(owner)] };
  const uid = await plane.make(things, { kind: "Thing", apiVersion: `${group}/v1`, metadata });
  const message = `ownerRef [v1/ConfigMap, namespace: a, name: owner, uid: ${owner.uid}] does not exist in namespace "a"`;
  const involvedObject = { kind: "Thing", apiVersion: `${group}/v2`, namespace: "a", name: "child", uid };
  await eventually(async () => assert.deepEqual(await reports(plane, "a"), [{ message, involvedObject }]));
});

test("an object without a namespace stays if its owner is in one, and an Event tells so unless the owner is gone", async () => {
  await using plane = await open();
  await plane.makeNamespace("default");
  const owner = await make(plane, "owner");
  const makeNamespace = (name: string, uid: string): Promise<string> => {
    const metadata = { name, ownerReferences: [reference({ name: "owner", uid })] };
    return plane.make(namespaces, { kind: "Namespace", apiVersion: "v1", metadata });
  };
  await makeNamespace("of-none", "gone");
  const uid = await makeNamespace("misplaced", owner.uid);
  const message = `ownerRef [v1/ConfigMap, namespace: , name: owner, uid: ${owner.uid}] does not exist in namespace ""`;
  const involvedObject = { kind: "Namespace", apiVersion: "v1", name: "misplaced", uid };
  await eventually(async () => assert.deepEqual(await reports(plane, "default"), [{ message, involvedObject }]));
  const misplaced = await plane.client.get(namespaces, "", "misplaced");
  assert.equal(metaOf(misplaced ?? assert.fail()).deletionTimestamp, undefined);
});

test("owners without a namespace may have dependents in any; the other way round nothing is deleted", async () => {
  await using plane = await open();
  const uid = await plane.makeNamespace("owner");
  await make(plane, "child", [{ apiVersion: "v1", kind: "Namespace", name: "owner", uid }]);
  const owner = await make(plane, "config");
  const metadata = { name: "misplaced", ownerReferences: [reference({ name: "nowhere", uid: owner.uid })] };
  await plane.make(namespaces, { kind: "Namespace", apiVersion: "v1", metadata });
  await plane.client.delete(namespaces, "", "owner");
  await plane.client.update(namespaces, { namespace: "owner", name: "owner", subresource: "finalize" }, (object) => ({
    ...object,
    spec: {},
  }));
  await eventually(async () => assert.deepEqual(await names(plane), ["config"]));
  const misplaced = await plane.client.get(namespaces, "", "misplaced");
  assert.equal(metaOf(misplaced ?? assert.fail()).deletionTimestamp, undefined);
});

test("an object whose owner is of an unknown kind is left alone", async () => {
  await using plane = await open();
  const gone = { name: "gone", uid: "u" };
  await make(plane, "unknown", [{ ...gone, kind: "Widget", apiVersion: "example.com/v1" }, gone]);
  await make(plane, "known", [gone]);
  await eventually(async () => assert.deepEqual(await names(plane), ["unknown"]));
  await wait(50);
  assert.deepEqual(await names(plane), ["unknown"]);
  assert.deepEqual(plane.errors, []);
});

test("after random deletions exactly those are left who have an owner left, or never had one", async () => {
  const families = fc.record({
    /** Owners of each object, by index among those before it. */
    owners: fc.array(fc.uniqueArray(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    deleted: fc.uniqueArray(fc.nat(), { maxLength: 4 }),
  });
  let run = 0;
  await using plane = await open();
  await fc.assert(
    fc.asyncProperty(families, async ({ owners, deleted }) => {
      const namespace = `f${run++}`;
      await plane.makeNamespace(namespace);
      const parents = owners.map((list, index) => [...new Set(index === 0 ? [] : list.map((n) => n % index))]);
      const made: Owner[] = [];
      for (const [index, list] of parents.entries()) {
        made.push(
          await make(
            plane,
            `o${index}`,
            list.map((parent) => made[parent] as Owner),
            { namespace },
          ),
        );
      }
      const gone = new Set(deleted.map((n) => n % owners.length));
      await Promise.all([...gone].map((index) => plane.client.delete(configMaps, namespace, `o${index}`)));
      const left = new Set<number>();
      for (const [index, list] of parents.entries()) {
        if (!gone.has(index) && (list.length === 0 || list.some((parent) => left.has(parent)))) {
          left.add(index);
        }
      }
      const expected = [...left].map((index) => `o${index}`).sort();
      await eventually(async () => assert.deepEqual((await names(plane, namespace)).sort(), expected));
    }),
    { numRuns: 25 },
  );
  assert.deepEqual(plane.errors, []);
});
