import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { parse } from "yaml";
import { importedFiles } from "./application-files.mjs";
import { packagesOf } from "./bill-of-materials.mjs";
import { readContainerfile } from "./containerfile.mjs";
import { writeEnvtestIndex } from "./envtest-release.mjs";
import { expectDigest } from "./fetched.mjs";
import { publishedManifest } from "./npm-packages.mjs";

const containerfile = readFileSync(new URL("../../deploy/containers/Containerfile", import.meta.url), "utf8");
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-release-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

test("the files of a release are those of every package that the bundled programs import", async () => {
  const files = await importedFiles();
  const packages = new Set(files.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  for (const workspace of ["server", "deploy", "webhooks", "credential-plugins"]) {
    const folder = new URL(`../../${workspace}/bundle/`, import.meta.url);
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".cjs"))) {
      for (const [, wanted] of readFileSync(new URL(name, folder), "utf8").matchAll(
        /\brequire\("((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"\)/g,
      )) {
        const isThere = isBuiltin(wanted) || wanted.startsWith("@gatehouse/") || optional.has(wanted);
        assert.ok(isThere || packages.has(wanted), `${name} of ${workspace} requires ${wanted}`);
      }
    }
  }
  assert.ok(packages.has("@grpc/grpc-js") && packages.has("lmdb") && packages.has("pino"));
});

/** Packages that are used where they are installed; nothing here installs them. */
const optional = new Set(["bufferutil", "supports-color", "utf-8-validate"]);

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
