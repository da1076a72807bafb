import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { type ImageDescription, readImageLayout, withParents, writeArchive, writeImageLayout } from "./index.js";

const time = 1_700_000_000;
const entries = [
  { name: "b/run.sh", mode: 0o755, contents: "#!/bin/sh\n" },
  { name: "b/", directory: true, mode: 0o700, uid: 65532 },
  { name: "a", link: "b/run.sh" },
];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-images-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function headersOf(bytes: Buffer): Promise<object[]> {
  const headers: object[] = [];
  const reader = extract();
  reader.end(bytes);
  for await (const entry of reader) {
    const { name, mode, uid, type, linkname, mtime } = entry.header;
    headers.push({ name, mode, uid, type, linkname, mtime: mtime.getTime() / 1000 });
    entry.resume();
  }
  return headers;
}

test("an archive is sorted and dated as it is told, whatever the order of its entries", async () => {
  const first = await writeArchive(join(folder, "1"), entries, time);
  const second = await writeArchive(join(folder, "2"), entries.toReversed(), time);
  assert.deepEqual(first, second);
  const bytes = await readFile(join(folder, "1"));
  assert.equal(first.size, bytes.length);
  assert.equal(bytes.readUInt32LE(4), 0, "gzip keeps no time");
  assert.deepEqual(await headersOf(gunzipSync(bytes)), [
    { name: "a", mode: 0o777, uid: 0, type: "symlink", linkname: "b/run.sh", mtime: time },
    { name: "b/", mode: 0o700, uid: 65532, type: "directory", linkname: null, mtime: time },
    { name: "b/run.sh", mode: 0o755, uid: 0, type: "file", linkname: null, mtime: time },
  ]);
});

test("an archive holds what a header has no room for: long paths, long targets, and names that are not ASCII", async () => {
  const long = (length: number): string => "x".repeat(length);
  const names = [
    `${long(150)}/${long(100)}`,
    `${long(160)}/${long(40)}`,
    `${long(101)}`,
    `${long(90)}/folder/${long(95)}/`,
    "Zürich/東京",
  ];
  const target = `${long(99)}/é`;
  const content = "a".repeat(513);
  const all = [
    ...names.map((name) => (name.endsWith("/") ? { name, directory: true } : { name, contents: content })),
    { name: "empty", contents: "" },
    { name: "link", link: target },
  ];
  const { unpackedSha256 } = await writeArchive(join(folder, "1"), all, time);
  const tar = gunzipSync(await readFile(join(folder, "1")));
  assert.equal(unpackedSha256, createHash("sha256").update(tar).digest("hex"));
  const seen = new Map<string, string | null>();
  const reader = extract();
  reader.end(tar);
  for await (const entry of reader) {
    const parts: Buffer[] = [];
    for await (const part of entry) {
      parts.push(part as Buffer);
    }
    seen.set(entry.header.name, entry.header.linkname ?? Buffer.concat(parts).toString());
  }
  const expected = all.map((entry) => {
    const { name, link, contents } = entry as { name: string; link?: string; contents?: string };
    return [name, link ?? contents ?? ""] as const;
  });
  assert.deepEqual(seen, new Map(expected.toSorted(([a], [b]) => (a < b ? -1 : 1))));
});

test("an archive of a file that is not there is refused", async () => {
  const missing = join(folder, "missing");
  await assert.rejects(writeArchive(join(folder, "1"), [...entries, { name: "c", source: missing }], time), {
    code: "ENOENT",
    path: missing,
  });
});

test("the folders above entries are added where nobody has said how they are", () => {
  assert.deepEqual(
    withParents([...entries, { name: "d/e/f", contents: "" }])
      .filter(({ directory }) => directory)
      .map(({ name, mode }) => [name, mode]),
    [
      ["b/", 0o700],
      ["d/", 0o755],
      ["d/e/", 0o755],
    ],
  );
});

test("a layout of images holds one layer and is read back by its digests", async () => {
  const image = (name: string): ImageDescription => ({
    name,
    entrypoint: ["node", `/usr/lib/${name}.js`],
    cmd: ["--port=8443"],
    user: "65532:65532",
    ports: [8443],
    workingDir: "/usr/lib",
    env: ["NODE_ENV=production"],
    stopSignal: "SIGTERM",
  });
  const images = [image("first"), image("second")];
  const written = await writeImageLayout(folder, {
    entries,
    images,
    platform: "linux-arm64",
    version: "1.2.3",
    time,
    createdBy: "a test",
  });
  const read = await readImageLayout(folder);
  assert.deepEqual([...read.keys()], ["first", "second"]);
  assert.deepEqual([...written.keys()], ["first", "second"]);
  const { config, layers } = read.get("second") ?? assert.fail();
  assert.equal(config.architecture, "arm64");
  assert.equal(config.created, "2023-11-14T22:13:20Z");
  assert.deepEqual(config.history, [{ created: "2023-11-14T22:13:20Z", created_by: "a test" }]);
  assert.deepEqual(config.config, {
    User: "65532:65532",
    ExposedPorts: { "8443/tcp": {} },
    Env: ["PATH=/usr/local/bin:/usr/bin:/bin", "NODE_ENV=production"],
    Entrypoint: ["node", "/usr/lib/second.js"],
    Cmd: ["--port=8443"],
    WorkingDir: "/usr/lib",
    StopSignal: "SIGTERM",
    Labels: { "org.opencontainers.image.title": "second", "org.opencontainers.image.version": "1.2.3" },
  });
  assert.equal((await headersOf(gunzipSync(layers[0] ?? assert.fail()))).length, entries.length);
  const blobs = await readdir(join(folder, "blobs/sha256"));
  assert.equal(blobs.length, 1 + 2 * images.length);
  await truncate(join(folder, "blobs/sha256", blobs[0] ?? ""), 1);
  await assert.rejects(readImageLayout(folder), { message: /is not what its digest and size say/ });
});
