import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Store } from "@gatehouse/apiserver/storage";
import { openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { gatehouse } from "./gatehouse-command.js";
import { rawEtcd } from "./raw-etcd.js";

const found = await findEtcd();

/** Keys and values below /registry, in one text. */
async function contentOf(store: Store): Promise<string[]> {
  const { kvs } = await store.range({ prefix: "/registry/" });
  return kvs.map(({ key, value }) => `${key} = ${value}`);
}

async function put(store: Store, key: string, value: string, ttlSeconds?: number): Promise<void> {
  const expectedRevision = (await store.get(key)).kv?.modRevision ?? 0;
  const lifetime = ttlSeconds === undefined ? {} : { ttlSeconds };
  assert.ok((await store.put(key, Buffer.from(value), { expectedRevision, ...lifetime })).succeeded);
}

/** Asserts that a key ends when it did before: etcd states whole seconds, and shares leases for at most a minute longer. */
function assertEndsAt(actualMs: number | undefined, expectedMs: number): void {
  const laterMs = (actualMs ?? 0) - expectedMs;
  assert.ok(laterMs >= -2000 && laterMs <= 120_000, `${laterMs} ms later`);
}

/** The canonical JSON of objects, as a server stores it. */
const configMap = (number: number): string =>
  `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${number % 20}","namespace":"default","creationTimestamp":"2026-01-01T00:00:00Z"},"data":{"a":"${number}"}}`;
const lease =
  '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"expires","namespace":"default","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{}}';

describe("with etcd, the gatehouse commands for data", { skip: "skip" in found ? found.skip : false }, () => {
  let folder: string;
  let etcd: EtcdProcess;
  let store: Store;
  const path = (name: string): string => join(folder, name);
  const servers = (): string[] => ["--etcd-servers", etcd.url];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-etcd-commands-"));
    etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "" });
    store = await openEtcdStore({ transport: { servers: [etcd.url] }, leaseReuseSeconds: 0 });
  });
  after(async () => {
    await store[Symbol.asyncDispose]();
    await etcd[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("migrate a data directory into etcd and back, with times to live, and refuse what would lose something", async () => {
    const directory = path("embedded");
    const embedded = await openLmdbStore({ directory });
    for (let number = 0; number < 40; number++) {
      await put(embedded, `/registry/configmaps/default/${number % 20}`, configMap(number));
    }
    await put(
      embedded,
      "/registry/example.com/things/default/custom",
      '{"apiVersion":"example.com/v1","kind":"Thing"}',
    );
    await put(embedded, "/registry/secrets/default/encrypted", "k8s:enc:aescbc:v1:key:bytes");
    await put(embedded, "/registry/leases/default/expires", lease, 100_000);
    const endsAtMs = (await embedded.get("/registry/leases/default/expires")).kv?.expiresAtMs ?? 0;
    const content = await contentOf(embedded);
    const toEtcd = ["migrate", "--to", "etcd", "--data-dir", directory, ...servers()];
    const open = await gatehouse([...toEtcd, "--bump-revision", "100"]);
    assert.match(open.stderr, /^gatehouse: a server has .*embedded open; stop it first\n$/);
    await embedded[Symbol.asyncDispose]();

    assert.match((await gatehouse(toEtcd)).stderr, /etcd at .* is at revision 1, and what is copied at 44, so clients/);
    const migrated = await gatehouse([...toEtcd, "--bump-revision", "100"]);
    assert.deepEqual([migrated.code, migrated.stderr], [0, ""]);
    assert.match(migrated.stdout, /: 23 keys copied and compared, as of revision 44 of the source\n$/);
    const { kvs } = await store.range({ prefix: "/registry/", withExpiry: true });
    assert.ok(kvs.every(({ modRevision }) => modRevision > 144));
    // As kube-apiserver stores them: built-in kinds in protobuf, everything else as it was.
    assert.deepEqual(kvs.map(({ key, value }) => [key.split("/")[2], value.toString("latin1", 0, 4)]).slice(-4), [
      ["configmaps", "k8s\0"],
      ["example.com", '{"ap'],
      ["leases", "k8s\0"],
      ["secrets", "k8s:"],
    ]);
    const [onLease, ...others] = kvs.filter(({ expiresAtMs }) => expiresAtMs !== undefined);
    assert.equal(onLease?.key, "/registry/leases/default/expires");
    assert.deepEqual(others, []);
    assertEndsAt(onLease.expiresAtMs, endsAtMs);
    assert.match((await gatehouse(toEtcd)).stderr, /there are keys under \/registry\/ already/);

    const target = path("back");
    const back = await gatehouse(["migrate", "--to", "data-dir", "--data-dir", target, ...servers()]);
    assert.deepEqual([back.code, back.stderr], [0, ""]);
    await using again = await openLmdbStore({ directory: target, readOnly: true });
    assert.deepEqual(await contentOf(again), content);
    assertEndsAt((await again.get("/registry/leases/default/expires")).kv?.expiresAtMs, endsAtMs);
  });

  it("back etcd up, in full and by increments, and restore it as of any of these revisions", async () => {
    await put(store, "/registry/secrets/default/a", "{1}");
    const full = await gatehouse(["backup", ...servers(), path("full")]);
    assert.equal(full.code, 0, full.stderr);
    const before = await contentOf(store);
    const revision = await store.currentRevision();
    await put(store, "/registry/secrets/default/a", "{2}");
    await put(store, "/registry/secrets/default/b", "{3}", 100_000);
    await put(store, "/elsewhere", "of another program");
    const increment = await gatehouse(["backup", ...servers(), "--after", path("full"), path("increment")]);
    assert.match(increment.stdout, /, 2 changes \(/);
    const files = [path("full"), path("increment")];
    const newest = await contentOf(store);

    const intoFull = await gatehouse(["restore", ...files, ...servers()]);
    assert.match(
      intoFull.stderr,
      /there are keys under \/registry\/ already; restore into an empty prefix, or replace them\n$/,
    );
    const old = ["--to-revision", String(revision)];
    const restored = await gatehouse(["restore", ...files, ...old, ...servers(), "--replace"]);
    assert.deepEqual([restored.code, restored.stderr], [0, ""]);
    assert.deepEqual(await contentOf(store), before);
    assert.equal((await store.get("/elsewhere")).kv?.value.toString(), "of another program");
    const watch = store.watch({ prefix: "/registry/", afterRevision: revision, signal: AbortSignal.timeout(60_000) });
    await assert.rejects(watch[Symbol.asyncIterator]().next(), { name: "RevisionCompactedError" });

    const directory = path("directory");
    assert.equal((await gatehouse(["restore", ...files, "--data-dir", directory])).code, 0);
    await using embedded = await openLmdbStore({ directory, readOnly: true });
    assert.deepEqual(await contentOf(embedded), newest);
  });

  it("restore a snapshot of etcd into a data directory", async () => {
    using raw = await rawEtcd(etcd.url);
    await raw.saveSnapshot(path("snapshot.db"));
    const verified = await gatehouse(["backup", "verify", path("snapshot.db")]);
    assert.match(
      verified.stdout,
      /snapshot.db: snapshot of etcd at revision \d+, .*\nwhole: can be restored as of revision \d+ to \d+\n$/,
    );
    const directory = path("from-snapshot");
    assert.equal((await gatehouse(["restore", path("snapshot.db"), "--data-dir", directory])).code, 0);
    await using embedded = await openLmdbStore({ directory, readOnly: true });
    assert.deepEqual(await contentOf(embedded), await contentOf(store));
    const nothing = await gatehouse([
      ...["restore", path("snapshot.db"), "--etcd-prefix", "/other", "--data-dir", path("nothing")],
    ]);
    assert.deepEqual([nothing.code, /^there were no keys to restore; .* \/other\/\n$/.test(nothing.stderr)], [1, true]);
  });

  it("check etcd: values that no server writes, and a restore that has not ended, which the next one repeats", async () => {
    assert.equal((await gatehouse(["check-data", ...servers()])).code, 0);
    await put(store, "/registry/secrets/default/odd", "not an object");
    await put(store, "gatehouse/unfinished-restore/registry/", "then");
    const check = await gatehouse(["check-data", ...servers()]);
    assert.equal(check.code, 1);
    assert.match(
      check.stdout,
      /\ndamaged: 1 key\n {2}the value of "\/registry\/secrets\/default\/odd" is neither .*\na restore into \/registry\/ has not ended/,
    );
    const restored = await gatehouse(["restore", path("full"), ...servers()]);
    assert.equal(restored.code, 0);
    assert.match(restored.stderr, /^an earlier restore into \/registry\/ has not ended; what it has left is deleted/);
    assert.equal((await gatehouse(["check-data", ...servers()])).code, 0);
  });
});
