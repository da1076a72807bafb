import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "./support/api-client.js";
import type { WatchDocument } from "./support/api-document.js";
import { assertStatus, goJson } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  deleteConfigMap,
  freshNamespace,
  versionOf,
} from "./support/fixtures.js";
import type { OpenWatch } from "./support/open-watch.js";
import { serverWith } from "./support/shared-server.js";

const row = "Resource version semantics, Watch";

describe(row, { concurrency: 16 }, () => {
  it(`${row}, unset: an ADDED event for every object as it is now, then the changes`, async () => {
    const { client, namespace, watch } = await prepare();
    await createConfigMap(client, namespace, "a");
    await createConfigMap(client, namespace, "b");
    const changed = await changeConfigMap(client, namespace, "a", { k: "2" });
    using open = await watch("");
    const initial = await open.take(2);
    assert.deepEqual(initial.map(summary), ["ADDED a", "ADDED b"]);
    assert.deepEqual(initial[0]?.object, changed);
    await changeConfigMap(client, namespace, "b", { k: "2" });
    await deleteConfigMap(client, namespace, "a");
    assert.deepEqual((await open.take(2)).map(summary), ["MODIFIED b", "DELETED a"]);
  });

  it(`${row}, unset: the initial events hold every write that was acknowledged before`, async () => {
    const { client, namespace, watch } = await prepare();
    for (let count = 1; count <= 10; count++) {
      await createConfigMap(client, namespace, `c${count}`);
      using open = await watch("");
      assert.equal((await open.take(count)).length, count);
    }
  });

  it(`${row}, 0: ADDED events for the objects of any state, then the changes`, async () => {
    const { client, namespace, watch } = await prepare();
    await createConfigMap(client, namespace, "a");
    using open = await watch("resourceVersion=0");
    assert.equal(summary(await open.next()), "ADDED a");
    await createConfigMap(client, namespace, "b");
    assert.equal(summary(await open.next()), "ADDED b");
  });

  it(`${row}, other value: a token to go on with means nothing to a watch`, async () => {
    const { client, namespace, watch } = await prepare();
    const a = await createConfigMap(client, namespace, "a");
    await createConfigMap(client, namespace, "b");
    using open = await watch(`resourceVersion=${versionOf(a)}&continue=x&limit=1`);
    assert.equal(summary(await open.next()), "ADDED b");
  });

  it(`${row}, other value: exactly the changes after that version and no synthetic events`, async () => {
    const { client, namespace, watch } = await prepare();
    const a = await createConfigMap(client, namespace, "a");
    await createConfigMap(client, namespace, "b");
    await changeConfigMap(client, namespace, "a", { k: "2" });
    await deleteConfigMap(client, namespace, "b");
    using open = await watch(`resourceVersion=${versionOf(a)}`);
    assert.deepEqual((await open.take(3)).map(summary), ["ADDED b", "MODIFIED a", "DELETED b"]);
    await createConfigMap(client, namespace, "c");
    assert.equal(summary(await open.next()), "ADDED c");
  });

  it(`${row}, other value: from the version of a list, nothing is missed or repeated`, async () => {
    const { client, namespace, watch } = await prepare();
    await createConfigMap(client, namespace, "a");
    const list = (await client.get(configMapsPath(namespace))).document;
    const written: string[] = [];
    for (let round = 0; round < 10; round++) {
      written.push(versionOf(await changeConfigMap(client, namespace, "a", { k: String(round) })));
    }
    using open = await watch(`resourceVersion=${versionOf(list)}`);
    const events = await open.take(10);
    assert.deepEqual(
      events.map((event) => event.object.metadata.resourceVersion),
      written,
    );
    assert.equal(open.pending, 0);
  });

  it(`${row}, other value: a version that has not come yet is waited for, and only what follows it is sent`, async () => {
    const { client, namespace, watch } = await prepare();
    const newest = versionOf((await client.get(configMapsPath(namespace))).document);
    using open = await watch(`resourceVersion=${Number(newest) + 1}`);
    assert.equal(open.status, 200);
    const versions: string[] = [];
    for (const name of ["a", "b"]) {
      versions.push(versionOf(await createConfigMap(client, namespace, name)));
    }
    const expected = versions.filter((version) => Number(version) > Number(newest) + 1);
    const events = await open.take(expected.length);
    assert.deepEqual(
      events.map((event) => event.object.metadata.resourceVersion),
      expected,
    );
  });

  it(`${row}: a version that is no number is refused`, async () => {
    const { client, namespace } = await prepare();
    const answer = await client.get(configMapsPath(namespace, "", "watch=1&resourceVersion=abc"));
    assertStatus(answer, {
      code: 400,
      reason: "BadRequest",
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });

  it(`${row}: resourceVersionMatch is invalid without sendInitialEvents`, async () => {
    const { client, namespace } = await prepare();
    const text = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    const answer = await client.get(
      configMapsPath(namespace, "", "watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan"),
    );
    assertStatus(answer, {
      code: 422,
      reason: "Invalid",
      message: `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: ${text}`,
      details: {
        group: "meta.k8s.io",
        kind: "ListOptions",
        causes: [{ reason: "FieldValueForbidden", message: `Forbidden: ${text}`, field: "resourceVersionMatch" }],
      },
    });
  });

  it(`${row}: a selector turns changes into what its watcher must do`, async () => {
    const { client, namespace, watch } = await prepare();
    await createConfigMap(client, namespace, "in", { labels: { team: "red" } });
    await createConfigMap(client, namespace, "out", { labels: { team: "blue" } });
    using open = await watch("labelSelector=team%3Dred");
    assert.equal(summary(await open.next()), "ADDED in");
    const label = (name: string, team: string) =>
      client.patch(configMapsPath(namespace, name), "application/merge-patch+json", { metadata: { labels: { team } } });
    await label("out", "red");
    await label("in", "blue");
    await label("in", "green");
    await changeConfigMap(client, namespace, "out", { k: "v" });
    await deleteConfigMap(client, namespace, "in");
    await deleteConfigMap(client, namespace, "out");
    const events = await open.take(4);
    assert.deepEqual(events.map(summary), ["ADDED out", "DELETED in", "MODIFIED out", "DELETED out"]);
    assert.deepEqual(events[1]?.object.metadata.labels, { team: "red" }, "the last state that was selected");
  });

  it(`${row}: a watch of one name sees that object only`, async () => {
    const { client, namespace, watch } = await prepare();
    using open = await watch("fieldSelector=metadata.name%3Db");
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    await deleteConfigMap(client, namespace, "a");
    await deleteConfigMap(client, namespace, "b");
    assert.deepEqual((await open.take(2)).map(summary), ["ADDED b", "DELETED b"]);
  });

  it(`${row}: the wire form of an event is one line of JSON`, async () => {
    const { client, namespace, watch } = await prepare();
    using open = await watch("");
    const written = await createConfigMap(client, namespace, "a", { data: { k: "a < b & c" } });
    assert.equal(await open.nextLine(), goJson({ type: "ADDED", object: written }));
  });
});

interface Prepared {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly watch: (query: string) => Promise<OpenWatch>;
}

async function prepare(): Promise<Prepared> {
  const client = await serverWith();
  const namespace = await freshNamespace(client);
  // kube-root-ca.crt comes into every namespace when controllers run; these tests do not want to see it.
  const watch = (query: string): Promise<OpenWatch> =>
    client.watch(configMapsPath(namespace, "", `watch=1${query === "" ? "" : `&${query}`}`));
  return { client, namespace, watch };
}

function summary(event: WatchDocument): string {
  return `${event.type} ${event.object.metadata.name}`;
}
