import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { openEtcdSnapshot } from "@gatehouse/apiserver/storage/backup";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { makeHistory } from "./etcd-history.js";
import { rawEtcd } from "./raw-etcd.js";

const found = await findEtcd();

test("a snapshot of etcd has the state at every revision since the last compaction", {
  skip: "skip" in found ? found.skip : false,
}, async () => {
  await using etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "" });
  using raw = await rawEtcd(etcd.url);
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-snapshot-"));
  try {
    const states = await makeHistory(raw);
    const path = join(folder, "snapshot.db");
    await raw.saveSnapshot(path);
    const snapshot = await openEtcdSnapshot(path, { prefix: "/registry/" });
    const revisions = [...states.keys()];
    assert.deepEqual(
      [snapshot.oldestRevision, snapshot.newestRevision],
      [Math.min(...revisions), Math.max(...revisions)],
    );
    for (const [revision, expected] of states) {
      const lines: string[] = [];
      for await (const { key, value } of snapshot.liveRecords(revision)) {
        lines.push(`${key} = ${value}`);
      }
      assert.deepEqual(lines.sort(), expected, `revision ${revision}`);
    }
    await using store = await openEtcdStore({ transport: { servers: [etcd.url] } });
    const { kvs } = await store.range({ prefix: "/registry/", withExpiry: true });
    const times = new Map(kvs.map(({ key, expiresAtMs }) => [key, expiresAtMs]));
    for await (const { key, revision, createRevision, expiresAtMs } of snapshot.liveRecords(snapshot.newestRevision)) {
      const kv = kvs.find((one) => one.key === key);
      assert.deepEqual([revision, createRevision], [kv?.modRevision, kv?.createRevision]);
      assert.equal(expiresAtMs > 0, times.get(key) !== undefined, key);
    }
    // Makes the snapshot that the tests of the reader use: see testdata/README.md there.
    const record = process.env["RECORD_SNAPSHOT"];
    if (record !== undefined) {
      await writeFile(record, gzipSync(await readFile(path), { level: 9 }));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
