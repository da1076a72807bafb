import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { parse } from "yaml";
import { writeArchive } from "./archive.mjs";
import { packagesOf } from "./bill-of-materials.mjs";
import { readContainerfile } from "./containerfile.mjs";
import { writeEnvtestIndex } from "./envtest-release.mjs";
import { expectDigest } from "./fetched.mjs";
import { readImageLayout, writeImageLayout } from "./image-layout.mjs";
import { publishedManifest } from "./npm-packages.mjs";

const time = 1_700_000_000;
const entries = [
  { name: "b/run.sh", mode: 0o755, contents: "#!/bin/sh\n" },
  { name: "b/", directory: true, mode: 0o700, uid: 65532 },
  { name: "a", link: "b/run.sh" },
];
const containerfile = readFileSync(new URL("../../deploy/containers/Containerfile", import.meta.url), "utf8");
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-release-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function headersOf(bytes) {
  const headers = [];
  const reader = extract();
  reader.on("entry", ({ name, mode, uid, type, linkname, mtime }, stream, next) => {
    headers.push({ name, mode, uid, type, linkname, mtime: mtime.getTime() / 1000 });
    stream.on("end", next).resume();
  });
  reader.end(bytes);
  await new Promise((resolve) => reader.on("finish", resolve));
  return headers;
}

test("an archive is sorted and dated by the commit, whatever the order of its entries", async () => {
  const first = await writeArchive(join(folder, "1"), entries, time);
  const second = await writeArchive(join(folder, "2"), entries.toReversed(), time);
  assert.deepEqual(first, second);
  const bytes = readFileSync(join(folder, "1"));
  assert.equal(first.size, bytes.length);
  assert.equal(bytes.readUInt32LE(4), 0, "gzip keeps no time");
  assert.deepEqual(await headersOf(gunzipSync(bytes)), [
    { name: "a", mode: 0o777, uid: 0, type: "symlink", linkname: "b/run.sh", mtime: time },
    { name: "b/", mode: 0o700, uid: 65532, type: "directory", linkname: null, mtime: time },
    { name: "b/run.sh", mode: 0o755, uid: 0, type: "file", linkname: null, mtime: time },
  ]);
});

test("images start each process as the Containerfile says", () => {
  const images = readContainerfile(containerfile);
  assert.deepEqual(
    images.map(({ name }) => name),
    ["apiserver", "admission", "image-review", "authorization", "token-review", "audit-sink", "pki"].map(
      (name) => `gatehouse-${name}`,
    ),
  );
  const [apiServer] = images;
  assert.deepEqual(apiServer.entrypoint, ["node", "/usr/lib/gatehouse/server/bundle/gatehouse-apiserver.js"]);
  assert.ok(apiServer.cmd.includes("--secure-port=6443"));
  assert.deepEqual(apiServer.ports, [6443]);
  assert.deepEqual(apiServer.folders, ["/var/lib/gatehouse-apiserver", "/run/gatehouse-apiserver"]);
  assert.deepEqual(apiServer.env, ["NODE_ENV=production"]);
  for (const image of images) {
    assert.equal(image.user, "65532:65532", `${image.name} must not run as root`);
    assert.equal(image.stopSignal, "SIGTERM");
  }
  assert.ok(images.at(-1).folders.includes("/pki/authorities"));
});

test("a layout of images holds one layer and is read back by its digests", async () => {
  const images = readContainerfile(containerfile);
  await writeImageLayout(folder, { entries, images, platform: "linux-arm64", version: "1.2.3", time });
  const read = readImageLayout(folder);
  assert.deepEqual(
    Object.keys(read),
    images.map(({ name }) => name),
  );
  const { config, layers } = read["gatehouse-audit-sink"];
  assert.equal(config.architecture, "arm64");
  assert.equal(config.created, "2023-11-14T22:13:20Z");
  assert.equal(config.config.User, "65532:65532");
  assert.deepEqual(config.config.ExposedPorts, { "8447/tcp": {} });
  assert.equal((await headersOf(gunzipSync(layers[0]))).length, entries.length);
  const blobs = readdirSync(join(folder, "blobs/sha256"));
  assert.equal(blobs.length, 1 + 2 * images.length);
  truncateSync(join(folder, "blobs/sha256", blobs[0]), 1);
  assert.throws(() => readImageLayout(folder), { message: /is not what its digest and size say/ });
});

test("the index names each archive with its sha512 and the URL to download it from", () => {
  const archives = [{ name: "envtest-v1.29.0-linux-amd64.tar.gz", sha512: "abc" }];
  writeEnvtestIndex(folder, archives, "https://example.com/releases/v1");
  assert.deepEqual(parse(readFileSync(join(folder, "envtest-releases.yaml"), "utf8")), {
    releases: {
      "v1.29.0": {
        "envtest-v1.29.0-linux-amd64.tar.gz": {
          hash: "abc",
          selfLink: "https://example.com/releases/v1/envtest-v1.29.0-linux-amd64.tar.gz",
        },
      },
    },
  });
});

test("a published manifest tells its repository and asks for provenance", () => {
  const manifest = { name: "@gatehouse/x", version: "1.0.0", description: "x", license: "Apache-2.0", files: ["dist"] };
  const published = publishedManifest(manifest, "x", "https://example.com/owner/gatehouse");
  assert.deepEqual(published.repository, {
    type: "git",
    url: "git+https://example.com/owner/gatehouse.git",
    directory: "x",
  });
  assert.deepEqual(published.publishConfig, { access: "public", provenance: true });
  assert.equal("repository" in publishedManifest(manifest, "x", undefined), false);
  assert.throws(() => publishedManifest({ name: "@gatehouse/x" }, "x", undefined), {
    message: /version, description, license, files is missing/,
  });
});

test("a bill of materials names packages by the place where they lie", () => {
  const paths = [
    "node_modules/@a/b/c.js",
    "node_modules/d/node_modules/e/f.js",
    "server/bundle/g.js",
    "node_modules/d/h.js",
  ];
  assert.deepEqual([...packagesOf(paths)].sort(), [
    "node_modules/@a/b",
    "node_modules/d",
    "node_modules/d/node_modules/e",
  ]);
});

test("what was fetched is refused when its digest is not the one that is written down", () => {
  const path = join(folder, "fetched");
  writeFileSync(path, "something else");
  assert.throws(() => expectDigest(path, "sha256", "00", "hex"), {
    message: /its sha256 is [0-9a-f]{64}, expected 00/,
  });
});
