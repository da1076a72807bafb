import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { gatehouseScript } from "../support/programs.js";
import { until } from "../support/until.js";
import { gatehouse } from "./gatehouse-command.js";

describe("gatehouse backup --every", () => {
  let folder: string;
  let data: string;
  let backups: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-series-"));
    data = join(folder, "data");
    backups = join(folder, "backups");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const kinds = async () =>
    (await readdir(backups).catch(() => [])).sort().flatMap((name) => /-(\w+)\.backup$/.exec(name)?.[1] ?? []);

  /** Runs the command; `body` looks on, and can ask for the kinds of the backups that were made. Resolves to what it has written on standard error. */
  async function series(
    args: readonly string[],
    body: (made: () => readonly string[]) => Promise<void>,
  ): Promise<string> {
    const child = spawn(
      process.execPath,
      [gatehouseScript, "backup", "--data-dir", data, "--every", "1s", ...args, backups],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let [output, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const closed = once(child, "close");
    try {
      await body(() => Array.from(output.matchAll(/-(\w+)\.backup: /g), ([, kind = ""]) => kind));
    } finally {
      child.kill("SIGTERM");
    }
    assert.deepEqual(await closed, [0, null]);
    return errors;
  }

  it("waits for a store, follows a full backup by increments, keeps as many as it is told, and is restored", async () => {
    const told = await series(["--increments", "2", "--keep", "2"], async (made) => {
      await until("the folder is there", async () => (await readdir(backups).catch(() => [])).length > 0);
      await writeFile(join(backups, "notes.txt"), "not a backup");
      await using store = await openLmdbStore({ directory: data });
      let written = 0;
      await until("the third chain has begun", async () => {
        await store.put(`/registry/${++written}`, Buffer.from("1"), { expectedRevision: 0 });
        return made().length >= 7;
      });
      const chain = ["full", "increment", "increment"];
      assert.deepEqual(made().slice(0, 7), [...chain, ...chain, "full"]);
    });
    assert.match(told, /no backup was made: .* holds no data\.mdb/);
    assert.equal((await kinds()).filter((kind) => kind === "full").length, 2, "the oldest chain is removed");
    const files = (await readdir(backups)).filter((name) => name.endsWith(".backup")).sort();
    assert.ok((await readdir(backups)).includes("notes.txt"), "other files stay");
    const last = files.findLastIndex((name) => name.includes("-full"));
    const chain = files.slice(last).map((name) => join(backups, name));
    const { code, stderr } = await gatehouse(["restore", ...chain, "--data-dir", join(folder, "restored")]);
    assert.deepEqual([code, stderr], [0, ""]);
  });

  it("continues the chain of a former run, and takes a full backup when the log does not reach back", async () => {
    const before = (await kinds()).length;
    await using store = await openLmdbStore({ directory: data });
    const told = await series(["--keep", "5"], async () => {
      await until("an increment is taken", async () => (await kinds()).length > before);
      assert.equal((await kinds()).at(-1), "increment");
    });
    assert.equal(told, "");
    await store.put("/registry/late", Buffer.from("1"), { expectedRevision: 0 });
    await store.put("/registry/later", Buffer.from("1"), { expectedRevision: 0 });
    await store.compact(await store.currentRevision());
    const toldThen = await series(["--keep", "5"], async () => {
      await until("a full backup is taken", async () => (await kinds()).at(-1) === "full");
    });
    assert.match(
      toldThen,
      /a full backup is taken, since there can be no increment: the changes since .* are not kept/,
    );
  });

  it("is refused together with --after, and without a folder of its own", async () => {
    const { code, stderr } = await gatehouse(["backup", "--every", "1s", "--after", "x", "--data-dir", data, backups]);
    assert.equal(code, 1);
    assert.match(stderr, /--after names one backup before/);
    const alone = await gatehouse(["backup", "--keep", "3", "--data-dir", data, join(folder, "one")]);
    assert.match(alone.stderr, /--keep needs --every/);
  });
});
