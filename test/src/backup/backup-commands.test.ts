import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openLmdbStore, unfinishedRestoreName } from "@gatehouse/apiserver/storage/lmdb";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { changeConfigMap, configMapsPath, createConfigMap, namesOf, versionOf } from "../spec/support/fixtures.js";
import { flipBytesAt } from "../support/damage-file.js";
import { smallDisk } from "../support/small-disk.js";
import { startTestServer } from "../support/start-test-server.js";
import { gatehouse } from "./gatehouse-command.js";

async function dataOf(client: ApiClient): Promise<Record<string, unknown>> {
  const { document } = await client.get(configMapsPath("default"));
  return Object.fromEntries(document.items.map((item) => [item.metadata.name, item.data]));
}

describe("gatehouse backup and restore", () => {
  let folder: string;
  const path = (name: string): string => join(folder, name);
  const restored = (name: string) => startTestServer({ dataDirectory: path(name) });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-backups-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("keep what a running server has stored, at every revision, and let clients list again", async () => {
    await using server = await startTestServer();
    using client = createApiClient(server.clientConfig);
    const from = ["--data-dir", server.dataDirectory];
    await createConfigMap(client, "default", "one", { data: { a: "1" } });
    const full = await gatehouse(["backup", ...from, path("full")]);
    assert.match(full.stdout, /full: full backup at revision \d+, \d+ keys \(.* in the file\), checked\n$/);
    assert.deepEqual([full.code, full.stderr], [0, ""]);
    const second = await changeConfigMap(client, "default", "one", { a: "2" });
    await createConfigMap(client, "default", "two");
    const last = await changeConfigMap(client, "default", "two", { b: "1" });
    assert.equal((await gatehouse(["backup", ...from, "--after", path("full"), path("increment")])).code, 0);
    const files = [path("full"), path("increment")];
    assert.match(
      (await gatehouse(["backup", "verify", ...files])).stdout,
      /\nwhole: can be restored as of revision \d+ to \d+\n$/,
    );
    // The server writes on after the last backup; nobody may meet those versions again.
    const lost = await createConfigMap(client, "default", "lost");

    const older = ["--to-revision", versionOf(second)];
    assert.equal((await gatehouse(["restore", ...files, ...older, "--data-dir", path("older")])).code, 0);
    const newest = await gatehouse(["restore", ...files, "--data-dir", path("newest")]);
    assert.match(
      newest.stdout,
      /newest: \d+ keys as of revision \d+, read back and compared; revisions begin at 1000000\d+\n/,
    );
    {
      await using of = await restored("older");
      using reader = createApiClient(of.clientConfig);
      const { "kube-root-ca.crt": _, ...data } = await dataOf(reader);
      assert.deepEqual(data, { one: { a: "2" } });
    }
    await using of = await restored("newest");
    using reader = createApiClient(of.clientConfig);
    const list = await reader.get(configMapsPath("default"));
    assert.deepEqual(
      namesOf(list.document).filter((name) => name !== "kube-root-ca.crt"),
      ["one", "two"],
    );
    for (const item of list.document.items) {
      assert.ok(Number(versionOf(item)) > Number(versionOf(lost)), "no version is there twice");
    }
    for (const version of [versionOf(last), versionOf(lost)]) {
      const watch = await reader.get(
        configMapsPath("default", "", `watch=true&resourceVersion=${version}&timeoutSeconds=5`),
      );
      const expired = watch.status === 410 ? watch.document : JSON.parse(watch.text).object;
      assert.deepEqual([expired.code, expired.reason], [410, "Expired"]);
    }
  });

  it("tell which keys are damaged, and go on without them", async () => {
    const directory = path("damaged");
    const store = await openLmdbStore({ directory });
    await store.put("/registry/configmaps/default/broken", Buffer.from(`the text to be damaged ${"x".repeat(100)}`), {
      expectedRevision: 0,
    });
    await store.put("/registry/configmaps/default/whole", Buffer.from("1"), { expectedRevision: 0 });
    await store[Symbol.asyncDispose]();
    assert.ok((await flipBytesAt(join(directory, "data.mdb"), "the text to be damaged")) > 0);
    const told =
      /^1 key could not be read from the store, and are not in the backup:\n {2}the stored data of "\/registry\/configmaps\/default\/broken" at revision 2 is damaged: /;
    const backup = await gatehouse(["backup", "--data-dir", directory, path("partial")]);
    assert.equal(backup.code, 1);
    assert.match(backup.stderr, told);
    const verified = await gatehouse(["backup", "verify", path("partial")]);
    assert.equal(verified.code, 1);
    assert.match(verified.stderr, told);
    const restore = await gatehouse(["restore", "--data-dir", path("partly-restored"), path("partial")]);
    assert.equal(restore.code, 1);
    assert.match(restore.stdout, /: 1 key as of revision 3, read back/);
    assert.match(restore.stderr, told);
  });

  it("leave nothing that is taken for whole when a restore is killed, and can be run again", async () => {
    const source = path("many");
    const store = await openLmdbStore({ directory: source });
    await Promise.all(
      Array.from({ length: 5000 }, (_, number) =>
        store.put(`/registry/configmaps/default/${number}`, Buffer.alloc(500, "v"), { expectedRevision: 0 }),
      ),
    );
    await store[Symbol.asyncDispose]();
    assert.equal((await gatehouse(["backup", "--data-dir", source, path("many.backup")])).code, 0);
    const target = path("killed");
    const restore = ["restore", "--data-dir", target, path("many.backup")];
    const kill = new AbortController();
    const running = gatehouse(restore, kill.signal);
    while (!existsSync(join(target, unfinishedRestoreName, "data", "data.mdb"))) {
      await sleep(1);
    }
    kill.abort();
    const { code } = await running;
    if (code === null) {
      await assert.rejects(openLmdbStore({ directory: target }), /a restore into .* has not ended; run it again/);
      const again = await gatehouse(restore);
      assert.equal(again.code, 0);
      assert.match(again.stderr, /^an earlier restore into .* has not ended; what it has left was removed/);
    }
    assert.deepEqual(await readdir(target), ["data.mdb"]);
    assert.match((await gatehouse(["check-data", "--data-dir", target])).stdout, /\nwhole: 5000 keys /);
  });

  it("say that the disk is full, and leave no half file", async (t) => {
    await using disk = await smallDisk(2);
    if (disk === undefined) {
      return t.skip("a file system of its own can be mounted only by root, on Linux");
    }
    const directory = path("incompressible");
    const store = await openLmdbStore({ directory });
    for (let number = 0; number < 4; number++) {
      const value = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)));
      await store.put(`/registry/secrets/default/${number}`, value, { expectedRevision: 0 });
    }
    await store[Symbol.asyncDispose]();
    assert.equal((await gatehouse(["backup", "--data-dir", directory, path("random")])).code, 0);
    disk.fill();
    const backup = await gatehouse(["backup", "--data-dir", directory, join(disk.path, "backup")]);
    assert.equal(backup.code, 1);
    assert.match(backup.stderr, /^gatehouse: .*backup cannot be written: no space is left on the disk\n$/);
    assert.deepEqual(await readdir(disk.path), ["filler"]);
    disk.free();
    await writeFile(join(disk.path, "filler"), Buffer.alloc(1_800_000));
    const target = join(disk.path, "restored");
    const restore = await gatehouse(["restore", "--data-dir", target, path("random")]);
    assert.equal(restore.code, 1);
    assert.match(restore.stderr, /gatehouse: .*restored cannot be written: .*\n$/);
    assert.deepEqual(await readdir(target), [unfinishedRestoreName]);
  });

  const wrong: readonly [what: string, args: readonly string[], message: RegExp][] = [
    ["no file", ["backup"], /^gatehouse: arguments: FILE\|FOLDER: is required\n$/],
    ["two files", ["backup", "a", "b"], /^gatehouse: arguments: .*"?b"?/],
    ["no data", ["backup", "--data-dir", "/nowhere", "f"], /\/nowhere holds no data.mdb: no API server has stored/],
    ["two stores", ["backup", "--data-dir", "d", "--etcd-servers", "http://127.0.0.1:1", "f"], /name two stores/],
    ["a file that is not there", ["backup", "verify", "/nowhere"], /^gatehouse: there is no file \/nowhere\n$/],
    ["no target", ["restore", "f"], /give either --data-dir, the directory to make, or --etcd-servers\n$/],
    [
      "no backup",
      ["restore", "--data-dir", "d", process.execPath],
      /it has no checksum at its end|it has no whole meta/,
    ],
    ["no direction", ["migrate"], /--to \(etcd or data-dir\) and --etcd-servers are required\n$/],
    ["a misspelt flag", ["restore", "--data-dri", "d", "f"], /unknown flag: --data-dri, did you mean --data-dir\?\n$/],
  ];
  for (const [what, args, message] of wrong) {
    it(`tell in one line that there is ${what}`, async () => {
      const { code, stdout, stderr } = await gatehouse(args);
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, message);
      assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    });
  }

  it("name the directory below, when they are given that of a whole stack", async () => {
    await mkdir(path("stack"));
    const store = await openLmdbStore({ directory: path("stack/data") });
    await store[Symbol.asyncDispose]();
    const { stderr } = await gatehouse(["backup", "--data-dir", path("stack"), path("of-stack")]);
    assert.match(stderr, /; did you mean --data-dir=.*stack\/data\?\n$/);
  });
});
