import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { FaceClient, serveStore } from "./face-under-test.js";

const hour = 3_600_000;

it("hashes of the embedded store are the same in every process and at any time, and other ones after a write", async () => {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-hash-"));
  await using face = await serveStore({}, directory);
  await using other = await serveStore({ now: () => Date.now() + hour }, directory);
  using client = await FaceClient.open(face.url);
  using otherClient = await FaceClient.open(other.url);
  const { Hash, HashKV } = client.api.maintenance;
  await using store = await openLmdbStore({ directory });
  const { id } = await client.call(client.api.lease.LeaseGrant, { ttlSeconds: 100_000 });
  await client.put("/registry/items/1", "1");
  await client.put("/registry/items/2", "2", id);
  await store.put("/registry/events/e", Buffer.from("e"), { expectedRevision: 0, ttlSeconds: 100_000 });
  const ofFile = await client.call(Hash, {});
  const ofKeys = await client.call(HashKV, { revision: 0 });
  assert.equal((await otherClient.call(Hash, {})).hash, ofFile.hash);
  assert.deepEqual((await otherClient.call(HashKV, { revision: 0 })).hash, ofKeys.hash);
  assert.equal(ofFile.header?.revision, ofKeys.header?.revision);
  assert.equal(ofKeys.hashRevision, ofKeys.header?.revision);

  await client.put("/registry/items/1", "another");
  assert.notEqual((await otherClient.call(Hash, {})).hash, ofFile.hash);
  assert.notEqual((await otherClient.call(HashKV, { revision: 0 })).hash, ofKeys.hash);
  const before = await otherClient.call(HashKV, { revision: ofKeys.hashRevision });
  assert.equal(before.hash, ofKeys.hash);
  assert.equal(before.hashRevision, ofKeys.hashRevision);
});
