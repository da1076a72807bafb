import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "./support/api-client.js";
import { assertStatus, goJson } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  deleteConfigMap,
  freshNamespace,
  versionOf,
} from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const envelope = "Resources and their fields, Watch event envelope";
const events = "Watch events";
const watchList = "--feature-gates=WatchList=true";
const streamedList = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

describe(events, { concurrency: 16 }, () => {
  it(`${envelope}: a chunked stream of JSON documents with type and object`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.equal(watch.status, 200);
    assert.equal(watch.headers["content-type"], "application/json");
    assert.equal(watch.headers["transfer-encoding"], "chunked");
    const created = await createConfigMap(client, namespace, "a", { data: { k: "v" } });
    assert.equal(await watch.nextLine(), goJson({ type: "ADDED", object: created }));
    const changed = await changeConfigMap(client, namespace, "a", { k: "w" });
    assert.equal(await watch.nextLine(), goJson({ type: "MODIFIED", object: changed }));
    await deleteConfigMap(client, namespace, "a");
    const deleted = await watch.next();
    const { resourceVersion } = deleted.object.metadata;
    assert.ok(Number(resourceVersion) > Number(versionOf(changed)), "the version is that of the deletion");
    assert.deepEqual(deleted, {
      type: "DELETED",
      object: { ...changed, metadata: { ...changed.metadata, resourceVersion } },
    });
  });

  it(`${events}, 1: each change yields one event, in order`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const start = versionOf(await createConfigMap(client, namespace, "a"));
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${start}`));
    const versions: string[] = [];
    for (let round = 0; round < 50; round++) {
      versions.push(versionOf(await changeConfigMap(client, namespace, "a", { round: String(round) })));
    }
    const seen = await watch.take(50);
    assert.deepEqual(
      seen.map(({ type, object }) => [type, versionOf(object)]),
      versions.map((version) => ["MODIFIED", version]),
    );
    assert.equal(watch.pending, 0);
  });

  it(`${events}, 1: of all namespaces, to a watch of all`, async () => {
    const client = await serverWith();
    const namespaces = [await freshNamespace(client), await freshNamespace(client)];
    const start = versionOf((await client.get(configMapsPath(namespaces[0] as string))).document);
    const selector = `fieldSelector=metadata.name%3D${namespaces[0]}`;
    using watch = await client.watch(`/api/v1/configmaps?watch=1&resourceVersion=${start}&${selector}`);
    for (const namespace of namespaces) {
      await createConfigMap(client, namespace, namespaces[0] as string);
    }
    assert.deepEqual(
      (await watch.take(2)).map(({ object }) => object.metadata.namespace),
      namespaces,
    );
  });

  it(`${events}, 2: ADDED also marks the initial state`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const old = await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.deepEqual(await watch.next(), { type: "ADDED", object: old });
  });

  it(`${events}, 3: MODIFIED reports updates and patches`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(created)}`));
    const put = (await client.put(configMapsPath(namespace, "a"), { ...created, data: { k: "put" } })).document;
    const patched = await changeConfigMap(client, namespace, "a", { k: "patch" });
    assert.deepEqual(await watch.take(2), [
      { type: "MODIFIED", object: put },
      { type: "MODIFIED", object: patched },
    ]);
  });

  it(`${events}, 3: a deletion that waits for finalizers is a modification`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a", { finalizers: ["example.com/hold"] });
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(created)}`));
    await client.delete(configMapsPath(namespace, "a"));
    const marked = await watch.next();
    assert.equal(marked.type, "MODIFIED");
    assert.notEqual(marked.object.metadata.deletionTimestamp, undefined);
    const release = { metadata: { finalizers: null } };
    await client.patch(configMapsPath(namespace, "a"), "application/merge-patch+json", release);
    assert.equal((await watch.next()).type, "DELETED");
  });

  it(`${events}, 4: no BOOKMARK without allowWatchBookmarks`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1&timeoutSeconds=1"));
    assert.deepEqual(await watch.rest(), []);
  });

  it(`${events}, 4: a BOOKMARK carries nothing but the version up to which all changes have been sent`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a");
    const other = await createConfigMap(client, await freshNamespace(client), "elsewhere");
    using watch = await client.watch(
      configMapsPath(
        namespace,
        "",
        `watch=1&allowWatchBookmarks=true&timeoutSeconds=2&resourceVersion=${versionOf(created)}`,
      ),
    );
    const bookmarks = await watch.rest();
    const last = bookmarks.at(-1);
    assert.deepEqual(last, {
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { resourceVersion: last?.object.metadata.resourceVersion },
      },
    });
    assert.ok(Number(last?.object.metadata.resourceVersion) >= Number(versionOf(other)));
  });

  it(`${events}, 5: with sendInitialEvents a bookmark follows the initial ADDED events`, async () => {
    const client = await serverWith(watchList);
    const namespace = await freshNamespace(client);
    const a = await createConfigMap(client, namespace, "a");
    const b = await createConfigMap(client, namespace, "b");
    using watch = await client.watch(configMapsPath(namespace, "", `${streamedList}&allowWatchBookmarks=true`));
    assert.deepEqual(await watch.take(2), [
      { type: "ADDED", object: a },
      { type: "ADDED", object: b },
    ]);
    const bookmark = await watch.next();
    assert.deepEqual(bookmark, {
      type: "BOOKMARK",
      object: {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: {
          resourceVersion: bookmark.object.metadata.resourceVersion,
          annotations: { "k8s.io/initial-events-end": "true" },
        },
      },
    });
    assert.ok(Number(versionOf(bookmark.object)) >= Number(versionOf(b)));
    await deleteConfigMap(client, namespace, "a");
    assert.equal((await watch.next()).type, "DELETED");
  });

  it(`${events}, 5: with sendInitialEvents and a version, the state is at least that version`, async () => {
    const client = await serverWith(watchList);
    const namespace = await freshNamespace(client);
    const a = await createConfigMap(client, namespace, "a");
    const query = `${streamedList}&allowWatchBookmarks=true&resourceVersion=${versionOf(a)}`;
    using watch = await client.watch(configMapsPath(namespace, "", query));
    assert.deepEqual(await watch.next(), { type: "ADDED", object: a });
    assert.ok(Number(versionOf((await watch.next()).object)) >= Number(versionOf(a)));
  });

  it(`${events}, 5: with sendInitialEvents=false there are no initial events`, async () => {
    const client = await serverWith(watchList);
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const query = "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
    using watch = await client.watch(configMapsPath(namespace, "", query));
    await createConfigMap(client, namespace, "b");
    assert.equal((await watch.next()).object.metadata.name, "b");
  });

  it(`${events}, 5: with the gate on, a watch from no version that allows bookmarks ends its initial events with one`, async () => {
    const client = await serverWith(watchList);
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    for (const version of ["", "&resourceVersion=0"]) {
      using watch = await client.watch(configMapsPath(namespace, "", `watch=1&allowWatchBookmarks=true${version}`));
      assert.equal((await watch.next()).type, "ADDED");
      const { type, object } = await watch.next();
      assert.deepEqual([type, object.metadata.annotations], ["BOOKMARK", { "k8s.io/initial-events-end": "true" }]);
    }
  });

  it(`${events}, 5: sendInitialEvents needs its match, and its feature gate`, async () => {
    const off = await serverWith();
    const on = await serverWith(watchList);
    const needsMatch = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    const needsGate = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
    await assertForbidden(on, "watch=1&sendInitialEvents=true", [["resourceVersionMatch", needsMatch]]);
    await assertForbidden(off, streamedList, [["sendInitialEvents", needsGate]]);
    await assertForbidden(off, "watch=1&sendInitialEvents=true", [
      ["resourceVersionMatch", needsMatch],
      ["sendInitialEvents", needsGate],
    ]);
    await assertForbidden(on, "sendInitialEvents=true", [
      ["sendInitialEvents", "sendInitialEvents is forbidden for list"],
    ]);
  });

  it(`${events}, 7: a watch lasts as long as it asks, and ends cleanly`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1&timeoutSeconds=1"));
    assert.deepEqual(
      (await watch.rest()).map(({ type }) => type),
      ["ADDED"],
    );
  });

  it(`${events}, 7: without a wish of its own it lasts a random time above --min-request-timeout`, async () => {
    const client = await serverWith("--min-request-timeout=1");
    const namespace = await freshNamespace(client);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.deepEqual(await watch.rest(), []);
  });

  it(`${events}, 6: a deletion is a DELETED event with the last state, at the version of the deletion`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const created = await createConfigMap(client, namespace, "a", { data: { k: "v" } });
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(created)}`));
    await deleteConfigMap(client, namespace, "a");
    const { type, object } = await watch.next();
    const { resourceVersion } = object.metadata;
    assert.deepEqual(
      { type, object },
      {
        type: "DELETED",
        object: { ...created, metadata: { ...created.metadata, resourceVersion } },
      },
    );
    assert.ok(Number(resourceVersion) > Number(versionOf(created)));
  });
});

async function assertForbidden(
  client: ApiClient,
  query: string,
  causes: readonly (readonly [field: string, detail: string])[],
): Promise<void> {
  const texts = causes.map(([field, detail]) => `${field}: Forbidden: ${detail}`);
  assertStatus(await client.get(`/api/v1/configmaps?${query}`), {
    code: 422,
    reason: "Invalid",
    message: `ListOptions.meta.k8s.io "" is invalid: ${texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`}`,
    details: {
      group: "meta.k8s.io",
      kind: "ListOptions",
      causes: causes.map(([field, detail]) => ({
        reason: "FieldValueForbidden",
        message: `Forbidden: ${detail}`,
        field,
      })),
    },
  });
}
