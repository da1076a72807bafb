import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { openEtcdSnapshot } from "@gatehouse/apiserver/storage/backup";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { rawEtcd } from "../backup/raw-etcd.js";
import { freePort } from "../support/free-port.js";
import { until } from "../support/until.js";
import { FaceClient, type FaceUnderTest, serveStore } from "./face-under-test.js";

const run = promisify(execFile);

async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    ) {
      return path;
    }
  }
  return undefined;
}

const [etcdutl, etcd] = await Promise.all(["etcdutl", "etcd"].map(findProgram));
const missing = etcdutl === undefined || etcd === undefined ? "there is no etcdutl, or no etcd, on PATH" : false;

const hour = 3_600_000;
const now = Date.now();

describe("a snapshot of the embedded store by the API of etcd", () => {
  let folder: string;
  let face: FaceUnderTest;
  let client: FaceClient;
  let snapshot: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-snapshot-"));
    const directory = join(folder, "data");
    await using store = await openLmdbStore({ directory, now: () => now });
    face = await serveStore({ now: () => now }, directory);
    client = await FaceClient.open(face.url);
    // Enough for several levels of pages, and values of more than a page.
    for (const half of [0, 1]) {
      await Promise.all(
        Array.from({ length: 1500 }, (_, i) =>
          client.put(`/registry/items/${i}`, Buffer.alloc(i % 500 === 7 ? 10_000 : 300, `${half}-${i}`)),
        ),
      );
    }
    await client.call(client.api.kv.DeleteRange, { key: Buffer.from("/registry/items/1") });
    const { id } = await client.call(client.api.lease.LeaseGrant, { ttlSeconds: 100 });
    const success = ["a", "b"].map((name) => ({
      requestPut: { key: Buffer.from(`/registry/leased/${name}`), value: Buffer.from("1"), lease: id },
    }));
    await client.call(client.api.kv.Txn, { success });
    await store.put("/registry/events/e", Buffer.from("e"), { expectedRevision: 0, ttlSeconds: hour / 1000 });
    const newest = await newestOf(client);
    await client.call(client.api.kv.Compact, { revision: newest - 100 });
    snapshot = join(folder, "snapshot.db");
    using etcd = await rawEtcd(face.url);
    await etcd.saveSnapshot(snapshot);
  });
  after(async () => {
    client[Symbol.dispose]();
    await face[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("holds every key with its revisions, and the time that it has to live", async () => {
    const read = await openEtcdSnapshot(snapshot, { prefix: "/", now: () => now });
    const { kvs, header } = await client.call(client.api.kv.Range, {
      key: Buffer.from("/"),
      rangeEnd: Buffer.from("0"),
    });
    assert.equal(read.newestRevision, header?.revision);
    assert.equal(read.oldestRevision, (header?.revision ?? 0) - 100);
    const found = new Map<string, readonly [number, number, number, string]>();
    for await (const { key, createRevision, revision, expiresAtMs, value } of read.liveRecords(read.newestRevision)) {
      found.set(key, [createRevision, revision, expiresAtMs, String(value)]);
    }
    assert.equal(found.size, kvs.length);
    for (const { key, createRevision, modRevision, value } of kvs) {
      const [create, mod, expiresAtMs, text] = found.get(String(key)) ?? [];
      assert.deepEqual([create, mod, text], [createRevision, modRevision, String(value)], String(key));
      if (String(key).startsWith("/registry/leased/")) {
        assert.equal(expiresAtMs, now + 100_000);
      } else if (String(key) === "/registry/events/e") {
        assert.ok(expiresAtMs !== undefined && expiresAtMs >= now + hour && expiresAtMs <= now + hour + 61_000);
      } else {
        assert.equal(expiresAtMs, 0);
      }
    }
  });

  it("is checked and restored by etcdutl, and served by etcd", { skip: missing }, async () => {
    const { stdout } = await run(etcdutl as string, ["snapshot", "status", snapshot, "-w", "json"]);
    const newest = await newestOf(client);
    assert.equal((JSON.parse(stdout) as { readonly revision: number }).revision, newest);
    const data = join(folder, "restored");
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    const member = ["--name", "m", "--initial-cluster", `m=${peerUrl}`];
    await run(etcdutl as string, [
      ...["snapshot", "restore", snapshot, "--data-dir", data],
      ...["--initial-advertise-peer-urls", peerUrl, ...member],
    ]);
    const ended = new AbortController();
    const serving = run(
      etcd as string,
      [
        ...["--data-dir", data, "--listen-client-urls", clientUrl, "--advertise-client-urls", clientUrl, ...member],
        ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl, "--log-level", "error"],
      ],
      { signal: ended.signal, killSignal: "SIGKILL" },
    ).catch(() => {});
    try {
      await until("etcd answers", () =>
        fetch(`${clientUrl}/health`).then(
          () => true,
          () => false,
        ),
      );
      using restored = await FaceClient.open(clientUrl);
      const [theirs, ours] = await Promise.all([allOf(restored), allOf(client)]);
      assert.deepEqual(
        theirs.filter(([key]) => key !== "/registry/events/e"),
        ours.filter(([key]) => key !== "/registry/events/e"),
      );
      assert.equal(theirs.length, ours.length);
      const { leases } = await restored.call(restored.api.lease.LeaseLeases, {});
      assert.equal(leases.length, 2);
      await restored.put("/registry/items/1", "again");
    } finally {
      ended.abort();
      await serving;
    }
  });
});

it("a snapshot of a store without keys, and one with as many keys as fit a page, can be read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-snapshot-"));
  await using face = await serveStore();
  using client = await FaceClient.open(face.url);
  using etcd = await rawEtcd(face.url);
  for (let keys = 0; keys <= 40; keys += 1) {
    const path = join(folder, `${keys}.db`);
    await etcd.saveSnapshot(path);
    const read = await openEtcdSnapshot(path, { prefix: "" });
    assert.equal(read.versions, keys === 0 ? 1 : keys);
    assert.equal(read.newestRevision, await newestOf(client));
    await client.put(`k${keys}`, Buffer.alloc(100));
  }
  await rm(folder, { recursive: true });
});

/** Returns all keys with what etcd knows of them. */
async function allOf(client: FaceClient) {
  const { kvs } = await client.call(client.api.kv.Range, { key: Buffer.from("/"), rangeEnd: Buffer.from("0") });
  return kvs.map(({ key, value, createRevision, modRevision, version, lease }) => [
    String(key),
    String(value),
    createRevision,
    modRevision,
    version,
    lease,
  ]);
}

async function newestOf(client: FaceClient): Promise<number> {
  const { header } = await client.call(client.api.kv.Range, { key: Buffer.from("none") });
  return header?.revision ?? 0;
}
