import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertCode } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, versionOf } from "./support/fixtures.js";
import { serverWith } from "./support/shared-server.js";

const section = "Resources and their fields, Table representation";
const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
  readonly columnDefinitions: readonly { name: string; type: string; format: string; priority: number }[];
  readonly rows: readonly { cells: readonly unknown[]; object?: { kind: string; metadata: object } }[];
}

describe(section, { concurrency: 16 }, () => {
  it(`${section}, kind and apiVersion: Table of the meta group, v1`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a", { data: { k: "v", l: "w" } });
    const answer = await client.get(configMapsPath(namespace), { accept });
    assertCode(answer, 200);
    assert.equal(answer.headers["content-type"], "application/json");
    assert.match(
      answer.text,
      /^\{"kind":"Table","apiVersion":"meta\.k8s\.io\/v1","metadata":\{"resourceVersion":"\d+"\},"columnDefinitions":\[/,
    );
  });

  it(`${section}, columnDefinitions: each with name and type, as kubectl shows them`, async () => {
    const client = await serverWith();
    const { columnDefinitions } = (await client.get("/api/v1/pods", { accept })).document as unknown as Table;
    assert.deepEqual(
      columnDefinitions.map(({ name, type, priority }) => `${name} ${type} ${priority}`),
      [
        "Name string 0",
        "Ready string 0",
        "Status string 0",
        "Restarts string 0",
        "Age string 0",
        "IP string 1",
        "Node string 1",
        "Nominated Node string 1",
        "Readiness Gates string 1",
      ],
    );
  });

  it(`${section}: rows with a cell for each column, and the metadata of the object`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const { metadata } = await createConfigMap(client, namespace, "a", { data: { k: "v", l: "w" } });
    const table = (await client.get(configMapsPath(namespace, "a"), { accept })).document as unknown as Table;
    assert.deepEqual(
      table.columnDefinitions.map(({ name }) => name),
      ["Name", "Data", "Age"],
    );
    assert.equal(table.rows.length, 1);
    const [row] = table.rows;
    assert.deepEqual(row?.cells.slice(0, 2), ["a", 2]);
    assert.match(String(row?.cells[2]), /^\d+s$/);
    assert.deepEqual(row?.object, { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata });
  });

  it(`${section}: rows carry what includeObject asks for`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const object = await createConfigMap(client, namespace, "a");
    const rowWith = async (includeObject: string) => {
      const path = configMapsPath(namespace, "", `includeObject=${includeObject}`);
      return ((await client.get(path, { accept })).document as unknown as Table).rows[0]?.object;
    };
    assert.equal(await rowWith("None"), null);
    assert.equal((await rowWith("Metadata"))?.kind, "PartialObjectMetadata");
    assert.deepEqual(await rowWith("Object"), object);
  });

  it(`${section}: kinds without columns of their own have Name and Created At`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    const path = `/api/v1/namespaces/${namespace}/limitranges`;
    const body = { metadata: { name: "a" }, spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } };
    const { metadata } = (await client.post(path, body)).document;
    const table = (await client.get(`${path}/a`, { accept })).document as unknown as Table;
    assert.deepEqual(
      table.columnDefinitions.map(({ name, type }) => [name, type]),
      [
        ["Name", "string"],
        ["Created At", "date"],
      ],
    );
    assert.deepEqual(table.rows[0]?.cells, ["a", metadata.creationTimestamp]);
  });

  it(`${section}: pages of a table have the token and the count of the list`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    const { metadata } = (await client.get(configMapsPath(namespace, "", "limit=2"), { accept })).document;
    assert.equal(metadata.remainingItemCount, 1);
    const rest = await client.get(configMapsPath(namespace, "", `limit=2&continue=${metadata.continue}`), { accept });
    assert.deepEqual(
      (rest.document as unknown as Table).rows.map(({ cells }) => cells[0]),
      ["c"],
    );
    assert.equal(versionOf(rest.document), metadata.resourceVersion);
  });

  it(`${section}: a watch of tables has one row an event, and the columns with the first only`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"), { accept });
    await createConfigMap(client, namespace, "b");
    const [first, second] = (await watch.take(2)).map(({ type, object }) => ({
      type,
      table: object as unknown as Table,
    }));
    assert.deepEqual([first?.type, first?.table.kind, first?.table.columnDefinitions.length], ["ADDED", "Table", 3]);
    assert.equal(first?.table.rows[0]?.cells[0], "a");
    assert.deepEqual(second?.table.columnDefinitions ?? [], []);
    assert.equal(second?.table.rows[0]?.cells[0], "b");
  });

  it(`${section}: a client that takes JSON too gets the object where there is no table`, async () => {
    const client = await serverWith();
    const answer = await client.get("/api/v1", { accept: `${accept},application/json` });
    assertCode(answer, 200);
    assert.equal(answer.document.kind, "APIResourceList");
  });
});
