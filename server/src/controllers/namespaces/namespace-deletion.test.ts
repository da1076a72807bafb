import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { conditionOfType, isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { configMaps, namespaces, pods, serviceAccounts } from "../core-resources.js";
import { type ContentsClient, deleteNamespaceContents } from "./namespace-contents.js";
import { namespaceDeletion } from "./namespace-deletion.js";

function startDeletion(plane: TestControlPlane, sweepAfterMs = 50): void {
  const { client, errors } = plane;
  plane.start(namespaceDeletion({ client, now: Date.now, sweepAfterMs, onError: (error) => errors.push(error) }));
}

function configMap(namespace: string, name: string, finalizers: string[] = []) {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { namespace, name, finalizers } };
}

async function conditions(plane: TestControlPlane, name: string): Promise<Record<string, string>> {
  const namespace = await plane.client.get(namespaces, "", name);
  const found: Record<string, string> = {};
  for (const condition of listAt(namespace, "status", "conditions")) {
    if (isJsonObject(condition)) {
      found[textAt(condition, "type")] =
        `${textAt(condition, "status")} ${textAt(condition, "reason")}: ${textAt(condition, "message")}`;
    }
  }
  return found;
}

test("a deleted namespace goes with everything inside, and nothing else does", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  startDeletion(plane);
  await plane.makeNamespace("doomed");
  await plane.makeNamespace("safe");
  for (let index = 0; index < 50; index++) {
    await plane.make(configMaps, configMap("doomed", `c${index}`));
  }
  await plane.make(configMaps, configMap("safe", "c"));
  await plane.make(serviceAccounts, {
    kind: "ServiceAccount",
    apiVersion: "v1",
    metadata: { namespace: "doomed", name: "s" },
  });
  await client.delete(namespaces, "", "doomed");
  await eventually(async () => assert.equal(await client.get(namespaces, "", "doomed"), undefined));
  assert.equal(await client.count(configMaps, "doomed"), 0);
  assert.equal(await client.count(serviceAccounts, "doomed"), 0);
  assert.equal(await client.count(configMaps, "safe"), 1);
  assert.deepEqual(errors, []);
});

test("a namespace that was being deleted when the server stopped is deleted when it starts", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  await plane.makeNamespace("doomed");
  await client.delete(namespaces, "", "doomed");
  startDeletion(plane);
  await eventually(async () => assert.equal(await client.get(namespaces, "", "doomed"), undefined));
});

test("content with finalizers holds the namespace, and its conditions say so", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  startDeletion(plane);
  await plane.makeNamespace("held");
  await plane.make(configMaps, configMap("held", "a", ["example.com/x", "example.com/y"]));
  await plane.make(configMaps, configMap("held", "b", ["example.com/x"]));
  await client.delete(namespaces, "", "held");
  await eventually(async () =>
    assert.deepEqual(await conditions(plane, "held"), {
      NamespaceDeletionDiscoveryFailure: "False ResourcesDiscovered: All resources successfully discovered",
      NamespaceDeletionGroupVersionParsingFailure:
        "False ParsedGroupVersions: All legacy kube types successfully parsed",
      NamespaceDeletionContentFailure:
        "False ContentDeleted: All content successfully deleted, may be waiting on finalization",
      NamespaceContentRemaining:
        "True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances",
      NamespaceFinalizersRemaining:
        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/x in 2 resource instances, example.com/y in 1 resource instances",
    }),
  );
  for (const name of ["a", "b"]) {
    await client.update(configMaps, { namespace: "held", name }, (object) => {
      delete metaOf(object).finalizers;
      return object;
    });
  }
  await eventually(async () => assert.equal(await client.get(namespaces, "", "held"), undefined));
  assert.deepEqual(errors, []);
});

test("a running pod keeps its grace period; when that is over and it is still there, a condition complains", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  let now = Date.now();
  plane.start(namespaceDeletion({ client, now: () => now, onError: (error) => plane.errors.push(error) }));
  await plane.makeNamespace("busy");
  await plane.make(pods, {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { namespace: "busy", name: "p" },
    spec: { nodeName: "n", terminationGracePeriodSeconds: 20, containers: [{ name: "c", image: "i" }] },
  });
  await client.delete(namespaces, "", "busy");
  await eventually(async () =>
    assert.equal(
      (await conditions(plane, "busy"))["NamespaceContentRemaining"],
      "True SomeResourcesRemain: Some resources are remaining: pods. has 1 resource instances",
    ),
  );
  const pod = await client.get(pods, "busy", "p");
  assert.equal(metaOf(pod ?? {}).deletionGracePeriodSeconds, 20);
  const contentFailure = async (): Promise<string | undefined> =>
    (await conditions(plane, "busy"))["NamespaceDeletionContentFailure"];
  assert.match((await contentFailure()) ?? "", /^False /);
  now += 30_000;
  await eventually(async () =>
    assert.equal(
      await contentFailure(),
      "True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: busy for gvr: /v1, Resource=pods",
    ),
  );
  await client.delete(pods, "busy", "p", { gracePeriodSeconds: 0 });
  await eventually(async () => assert.equal(await client.get(namespaces, "", "busy"), undefined));
});

test("another finalizer in the spec of the namespace is left to its owner", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  startDeletion(plane);
  const metadata = { name: "shared" };
  await plane.make(namespaces, {
    kind: "Namespace",
    apiVersion: "v1",
    metadata,
    spec: { finalizers: ["example.com/mine"] },
  });
  await client.delete(namespaces, "", "shared");
  const finalizers = async (): Promise<unknown> =>
    listAt(await client.get(namespaces, "", "shared"), "spec", "finalizers");
  await eventually(async () => assert.deepEqual(await finalizers(), ["example.com/mine"]));
  await client.update(namespaces, { namespace: "shared", name: "shared", subresource: "finalize" }, (object) => ({
    ...object,
    spec: {},
  }));
  assert.equal(await client.get(namespaces, "", "shared"), undefined);
});

test("what was created while the namespace went away is swept up behind it", async () => {
  await using plane = await openTestControlPlane();
  const { client, liveRegistry } = plane;
  // Long enough for the latecomer to come before the sweep, on a slow machine, too.
  startDeletion(plane, 3000);
  await plane.makeNamespace("gone");
  await client.delete(namespaces, "", "gone");
  await eventually(async () => assert.equal(await client.get(namespaces, "", "gone"), undefined));
  // As a request that had been admitted before the deletion would.
  const { storage } = liveRegistry.current.find("", "v1", "configmaps") ?? assert.fail();
  await storage.create(storage.keyOf("gone", "late"), {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "late", namespace: "gone", uid: "u" },
  });
  assert.equal(await client.count(configMaps, "gone"), 1);
  await eventually(async () => assert.equal(await client.count(configMaps, "gone"), 0));
});

test("data that looks like a deletion neither keeps an object from being deleted nor its namespace", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  startDeletion(plane);
  await plane.makeNamespace("doomed");
  const data = { deletionTimestamp: "2024-01-01T00:00:00Z", orphan: "x" };
  await plane.make(configMaps, { ...configMap("doomed", "c"), data });
  await client.delete(namespaces, "", "doomed");
  await eventually(async () => assert.equal(await client.get(namespaces, "", "doomed"), undefined));
  assert.equal(await client.count(configMaps, "doomed"), 0);
});

test("what is in a namespace that was made anew is not swept", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  const old = { name: "again", uid: "uid-of-the-old-one", deletedAtMs: 0 };
  await plane.makeNamespace("again");
  await plane.make(configMaps, configMap("again", "kept"));
  assert.equal(await deleteNamespaceContents(client, old, 0), undefined);
  assert.equal(await deleteNamespaceContents(client, { ...old, uid: undefined }, 0), undefined);
  assert.equal(await client.count(configMaps, "again"), 1);
});

test("an object that has come in the place of the one to be swept is not deleted", async () => {
  await using plane = await openTestControlPlane();
  const { client } = plane;
  const uid = await plane.makeNamespace("doomed");
  await plane.make(configMaps, configMap("doomed", "c"));
  const overtaken: ContentsClient = {
    find: (resource) => client.find(resource),
    resources: () => client.resources(),
    count: (...target) => client.count(...target),
    list: (...target) => client.list(...target),
    get: (...target) => client.get(...target),
    // Between the list and the deletion somebody is quicker.
    delete: async (resource, namespace, name, options) => {
      await client.delete(resource, namespace, name);
      await plane.make(configMaps, configMap("doomed", "c"));
      await client.delete(resource, namespace, name, options);
    },
  };
  const remaining = await deleteNamespaceContents(overtaken, { name: "doomed", uid, deletedAtMs: 0 }, 1);
  assert.equal(remaining?.byResource.get("configmaps."), 1);
  assert.equal(await client.count(configMaps, "doomed"), 1);
});

test("objects that other servers keep are deleted with the namespace, which waits while such a server cannot be asked", async () => {
  await using plane = await openTestControlPlane();
  const { client, errors } = plane;
  const flunders = { group: "wardle.example.com", version: "v1alpha1", resource: "flunders" };
  let failing = ["wardle.example.com/v1alpha1"];
  let left: JsonObject[] = [{ metadata: { name: "one", finalizers: ["example.com/held"] } }];
  const deleted: string[] = [];
  plane.start(
    namespaceDeletion({
      client,
      now: Date.now,
      onError: (error) => errors.push(error),
      remote: {
        resources: () => ({ known: failing.length === 0 ? [flunders] : [], failing }),
        list: async (_resource, namespace) => (namespace === "doomed" ? left : []),
        async deleteAll({ resource }, namespace) {
          deleted.push(`${namespace}/${resource}`);
        },
      },
    }),
  );
  await plane.makeNamespace("doomed");
  await client.delete(namespaces, "", "doomed");
  const condition = async (type: string): Promise<string> => {
    const found = conditionOfType(listAt(await client.get(namespaces, "", "doomed"), "status", "conditions"), type);
    return `${textAt(found, "status")} ${textAt(found, "reason")}: ${textAt(found, "message")}`;
  };
  await eventually(async () =>
    assert.equal(
      await condition("NamespaceDeletionDiscoveryFailure"),
      "True DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server " +
        "APIs: wardle.example.com/v1alpha1: stale GroupVersion discovery: wardle.example.com/v1alpha1",
    ),
  );
  assert.deepEqual(deleted, []);
  failing = [];
  await eventually(async () =>
    assert.equal(
      await condition("NamespaceContentRemaining"),
      "True SomeResourcesRemain: Some resources are remaining: flunders.wardle.example.com has 1 resource instances",
    ),
  );
  assert.equal(
    await condition("NamespaceFinalizersRemaining"),
    "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/held in 1 resource instances",
  );
  assert.ok(deleted.every((what) => what === "doomed/flunders") && deleted.length > 0);
  left = [];
  await eventually(async () => assert.equal(await client.get(namespaces, "", "doomed"), undefined));
  assert.deepEqual(errors, []);
});
