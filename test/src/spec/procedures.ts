import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../support/until.js";
import type { ApiClient } from "./support/api-client.js";
import type { ApiDocument } from "./support/api-document.js";
import { assertCode } from "./support/assert-status.js";
import {
  changeConfigMap,
  configMapsPath,
  createConfigMap,
  deleteConfigMap,
  freshNamespace,
  namesOf,
  versionOf,
} from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const chunks = "Chunked listing procedure";
const watching = "Watch procedure";

describe(chunks, { concurrency: 16 }, () => {
  it(`${chunks}, 1, 2 and 3: a limit, then the token of each answer, until there is none`, async () => {
    const { client, namespace } = await withConfigMaps(7);
    const pages = await readPages(client, configMapsPath(namespace, "", "limit=3"));
    assert.deepEqual(pages.map(namesOf), [["c0", "c1", "c2"], ["c3", "c4", "c5"], ["c6"]]);
  });

  it(`${chunks}, 2: the limit may change on the way, and selectors go on`, async () => {
    const { client, namespace } = await withConfigMaps(7);
    const first = (await client.get(configMapsPath(namespace, "", "limit=2"))).document;
    const rest = await client.get(configMapsPath(namespace, "", `limit=100&continue=${first.metadata.continue}`));
    assert.equal(rest.document.items.length, 5);
    const odd = "labelSelector=odd%3Dtrue";
    const pages = await readPages(client, configMapsPath(namespace, "", `limit=1&${odd}`));
    assert.deepEqual(pages.flatMap(namesOf), ["c1", "c3", "c5"]);
  });

  it(`${chunks}, 4: one version for all chunks, and no change after it is visible`, async () => {
    const { client, namespace } = await withConfigMaps(6);
    const path = configMapsPath(namespace, "", "limit=2");
    const first = (await client.get(path)).document;
    await createConfigMap(client, namespace, "c0-new");
    await createConfigMap(client, namespace, "c9-new");
    await deleteConfigMap(client, namespace, "c3");
    await changeConfigMap(client, namespace, "c4", { changed: "yes" });
    const pages = [first, ...(await readPages(client, path, first.metadata.continue))];
    assert.deepEqual(pages.flatMap(namesOf), ["c0", "c1", "c2", "c3", "c4", "c5"]);
    assert.deepEqual(new Set(pages.map(versionOf)).size, 1);
    assert.equal(pages.flatMap(({ items }) => items)[4]?.data, undefined);
  });

  it(`${chunks}, 4: a watch from that version misses nothing`, async () => {
    const { client, namespace } = await withConfigMaps(4);
    const path = configMapsPath(namespace, "", "limit=2");
    const first = (await client.get(path)).document;
    await deleteConfigMap(client, namespace, "c3");
    const [second] = await readPages(client, path, first.metadata.continue);
    await createConfigMap(client, namespace, "c4");
    assert.deepEqual(namesOf(second as ApiDocument), ["c2", "c3"]);
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(first)}`));
    assert.deepEqual(
      (await watch.take(2)).map(({ type, object }) => `${type} ${object.metadata.name}`),
      ["DELETED c3", "ADDED c4"],
    );
  });

  it(`${chunks}: of all namespaces`, async () => {
    const { client, namespace } = await withConfigMaps(5);
    const pages = await readPages(client, `/api/v1/configmaps?limit=2&labelSelector=ns%3D${namespace}`);
    assert.deepEqual(pages.flatMap(namesOf), ["c0", "c1", "c2", "c3", "c4"]);
  });
});

describe(watching, { concurrency: 16 }, () => {
  it(`${watching}, 1 and 2: a watch from the version of a list or of an object`, async () => {
    const { client, namespace } = await withConfigMaps(2);
    const list = versionOf((await client.get(configMapsPath(namespace))).document);
    const object = versionOf((await client.get(configMapsPath(namespace, "c1"))).document);
    await deleteConfigMap(client, namespace, "c0");
    for (const version of [list, object]) {
      using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${version}`));
      const event = await watch.next();
      assert.deepEqual([event.type, event.object.metadata.name], ["DELETED", "c0"]);
    }
  });

  it(`${watching}, 3: after a disconnect, from the last version seen, with nothing lost or repeated`, async () => {
    const { client, namespace } = await withConfigMaps(1);
    let version = versionOf((await client.get(configMapsPath(namespace))).document);
    const expected: string[] = [];
    const seen: string[] = [];
    for (let round = 0; round < 10; round++) {
      using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${version}`));
      expected.push(versionOf(await changeConfigMap(client, namespace, "c0", { round: `${round} a` })));
      expected.push(versionOf(await changeConfigMap(client, namespace, "c0", { round: `${round} b` })));
      // The connection breaks after one, two or three of the events.
      for (let count = 0; count < 1 + (round % 2); count++) {
        version = versionOf((await watch.next()).object);
        seen.push(version);
      }
    }
    using last = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${version}`));
    while (seen.length < expected.length) {
      seen.push(versionOf((await last.next()).object));
    }
    assert.deepEqual(seen, expected);
  });

  it(`${watching}, 4: on 410 the list is read again, and watched from its version`, async () => {
    const client = await serverWith("--etcd-compaction-interval=2s");
    const namespace = await freshNamespace(client);
    const old = versionOf(await createConfigMap(client, namespace, "a"));
    await createConfigMap(client, namespace, "b");
    const past = configMapsPath(namespace, "", `resourceVersion=${old}&resourceVersionMatch=Exact`);
    await until("the version is gone", async () => (await client.get(past)).status === 410);

    const list = (await client.get(configMapsPath(namespace))).document;
    assert.deepEqual(namesOf(list), ["a", "b"]);
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(list)}`));
    const next = await createConfigMap(client, namespace, "c");
    assert.deepEqual(await watch.next(), { type: "ADDED", object: next });
  });
});

async function withConfigMaps(count: number): Promise<{ client: ApiClient; namespace: string }> {
  const client = await serverWith();
  const namespace = await freshNamespace(client);
  for (let index = 0; index < count; index++) {
    const labels = { ns: namespace, odd: String(index % 2 === 1) };
    await createConfigMap(client, namespace, `c${index}`, { labels });
  }
  return { client, namespace };
}

/** All pages, or those from a token on. */
async function readPages(client: ApiClient, path: string, from: string = ""): Promise<readonly ApiDocument[]> {
  const pages: ApiDocument[] = [];
  let token: string | undefined = from;
  do {
    const answer = await client.get(token === "" ? path : `${path}&continue=${token}`);
    assertCode(answer, 200);
    pages.push(answer.document);
    token = answer.document.metadata.continue;
  } while (token !== undefined && token !== "");
  return pages;
}
