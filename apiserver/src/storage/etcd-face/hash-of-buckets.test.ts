import assert from "node:assert/strict";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";
import { type BoltBucket, type BoltEntry, BoltFile } from "../bolt/index.js";
import { hashOfBuckets } from "./hash-of-buckets.js";

const recorded = new URL("../../../src/storage/etcd-face/testdata/etcd-3.5.16.db.gz", import.meta.url);
const hashBytes = 32;

it("the hash of a backend is what etcd 3.5.16 has answered for it, in whatever order the buckets are given", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-hash-"));
  const path = join(folder, "etcd.db");
  const database = gunzipSync(await readFile(recorded)).subarray(0, -hashBytes);
  await writeFile(path, database);
  const file = await open(path);
  const bolt = await BoltFile.open(file, database.length);
  const buckets = "members_removed members meta alarm auth authRoles authUsers cluster key lease"
    .split(" ")
    .map((name): BoltBucket => ({ name, entries: () => entriesOf(bolt, name) }));
  assert.equal(await hashOfBuckets(buckets), 1_918_628_207);
  assert.notEqual(await hashOfBuckets(buckets.slice(1)), 1_918_628_207);
  await file.close();
  await rm(folder, { recursive: true });
});

async function* entriesOf(bolt: BoltFile, name: string): AsyncGenerator<readonly BoltEntry[]> {
  for await (const entry of bolt.entriesOf(name)) {
    yield [entry];
  }
}
