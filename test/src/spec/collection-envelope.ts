import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode, goJson } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const table = "Resources and their fields, Collection envelope";

describe(table, { concurrency: 16 }, () => {
  it(`${table}, kind and apiVersion: <Kind>List of the version of the items, which have neither`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { kind: _kind, apiVersion: _apiVersion, ...item } = await createConfigMap(client, namespace, "a");
    const answer = await client.get(configMapsPath(namespace));
    const resourceVersion = versionOf(answer.document);
    const expected = { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion }, items: [item] };
    assert.equal(answer.text, `${goJson(expected)}\n`);
  });

  it(`${table}, items: an empty list, never null, where there is nothing`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const answer = await client.get(configMapsPath(namespace));
    const resourceVersion = versionOf(answer.document);
    assert.equal(
      answer.text,
      `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"${resourceVersion}"},"items":[]}\n`,
    );
    assertCode(await client.get(configMapsPath("nowhere")), 200);
  });

  it(`${table}, items: all of the collection, in the order of namespace and name`, async () => {
    const client = await serverWith();
    const namespaces = [await freshNamespace(client), await freshNamespace(client)].sort();
    for (const namespace of namespaces.toReversed()) {
      for (const name of ["b", "a", "b-1", "b.1"]) {
        await createConfigMap(client, namespace, name, { labels: { order: namespaces.join("_").slice(0, 63) } });
      }
    }
    const selector = `labelSelector=order%3D${namespaces.join("_").slice(0, 63)}`;
    const { items } = (await client.get(`/api/v1/configmaps?${selector}`)).document;
    const order = ["a", "b", "b-1", "b.1"];
    assert.deepEqual(
      items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      namespaces.flatMap((namespace) => order.map((name) => `${namespace}/${name}`)),
    );
  });

  it(`${table}, metadata.resourceVersion: a version from which a watch goes on`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const list = (await client.get(configMapsPath(namespace))).document;
    using watch = await client.watch(configMapsPath(namespace, "", `watch=1&resourceVersion=${versionOf(list)}`));
    await createConfigMap(client, namespace, "b");
    assert.equal((await watch.next()).object.metadata.name, "b");
  });

  it(`${table}, metadata.continue: a token where there is more, nothing on the last chunk`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    const first = (await client.get(configMapsPath(namespace, "", "limit=2"))).document;
    assert.match(String(first.metadata.continue), /^[\w-]+=*$/);
    const last = await client.get(configMapsPath(namespace, "", `limit=2&continue=${first.metadata.continue}`));
    assert.equal(last.document.metadata.continue, undefined);
    const exact = (await client.get(configMapsPath(namespace, "", "limit=3"))).document;
    assert.equal(exact.metadata.continue, undefined, "a chunk that ends with the collection is the last one");
  });

  it(`${table}, metadata.remainingItemCount: how many are left`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (let count = 0; count < 7; count++) {
      await createConfigMap(client, namespace, `c${count}`, { labels: { all: "yes" } });
    }
    const counts: (number | undefined)[] = [];
    let token = "";
    do {
      const { metadata } = (await client.get(configMapsPath(namespace, "", `limit=3&continue=${token}`))).document;
      counts.push(metadata.remainingItemCount);
      token = metadata.continue ?? "";
    } while (token !== "");
    assert.deepEqual(counts, [4, 1, undefined]);

    const complete = (await client.get(configMapsPath(namespace))).document;
    assert.equal(complete.metadata.remainingItemCount, undefined, "omitted when the list is complete");
    for (const selector of ["labelSelector=all%3Dyes", "fieldSelector=metadata.name!%3Dx"]) {
      const { metadata } = (await client.get(configMapsPath(namespace, "", `limit=3&${selector}`))).document;
      assert.notEqual(metadata.continue, undefined);
      assert.equal(metadata.remainingItemCount, undefined, "omitted with a selector");
    }
  });

  it(`${table}: there is no kind named List`, async () => {
    const client = await serverWith();
    const { resources } = (await client.get("/api/v1")).document as unknown as { resources: { kind: string }[] };
    assert.ok(!resources.some(({ kind }) => kind === "List"));
    const namespace = await freshNamespace(client);
    const answer = await client.post(configMapsPath(namespace), { kind: "List", apiVersion: "v1", items: [] });
    assertCode(answer, 400);
    assert.match(String(answer.document.message), /^List in version "v1" cannot be handled as a ConfigMap: /);
  });
});
