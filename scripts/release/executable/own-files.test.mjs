import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { packFiles } from "../executable.mjs";
import ownFilesModule from "./own-files.cjs";

const { ownFiles } = ownFilesModule;
let folder;
let cache;
let manifest;
let contents;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-own-files-"));
  cache = join(folder, "cache");
  writeFileSync(join(folder, "main.js"), "main");
  writeFileSync(join(folder, "native"), "native code");
  const source = (name) => join(folder, name);
  ({ manifest, contents } = packFiles(
    [
      { path: "deep/main.js", source: source("main.js") },
      { path: "link", link: "deep" },
      { path: "store.node", source: source("native") },
    ],
    {},
  ));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const files = (env = { GATEHOUSE_CACHE_DIR: cache }) => ownFiles(manifest, () => contents, env);

test("the files of an executable are written into a folder that nobody else can open", () => {
  const own = files();
  assert.equal(readFileSync(join(own, "link/main.js"), "utf8"), "main");
  assert.equal(statSync(cache).mode & 0o777, 0o700);
  assert.equal(statSync(own).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(cache), [manifest.digest]);
});

test("a second start uses the files of the first", () => {
  const own = files();
  const before = statSync(join(own, "deep/main.js")).ino;
  assert.equal(statSync(join(files(), "deep/main.js")).ino, before);
});

test("native code that has been changed is replaced before it is loaded", () => {
  const own = files();
  writeFileSync(join(own, "store.node"), "another one");
  assert.equal(readFileSync(join(files(), "store.node"), "utf8"), "native code");
  assert.deepEqual(readdirSync(cache), [manifest.digest]);
});

test("files that a crash has cut are replaced", () => {
  const own = files();
  writeFileSync(join(own, "deep/main.js"), "");
  assert.equal(readFileSync(join(files(), "deep/main.js"), "utf8"), "main");
});

test("drafts of processes that are gone are removed, and those of living ones are left", () => {
  const gone = `${manifest.digest}.999999999`;
  const living = `${"0".repeat(64)}.${process.ppid}`;
  for (const name of [gone, living]) {
    mkdirSync(join(cache, name), { recursive: true, mode: 0o700 });
  }
  chmodSync(cache, 0o700);
  files();
  assert.deepEqual(readdirSync(cache).sort(), [living, manifest.digest].sort());
});

test("a folder that others can open is refused with its path", () => {
  mkdirSync(cache);
  chmodSync(cache, 0o755);
  assert.throws(files, { message: new RegExp(`GATEHOUSE_CACHE_DIR[^]*${cache}: .*others can open it`) });
});

test("another executable has files of its own", () => {
  writeFileSync(join(folder, "main.js"), "another");
  const { manifest: other } = packFiles([{ path: "main.js", source: join(folder, "main.js") }], {});
  assert.notEqual(other.digest, manifest.digest);
});
