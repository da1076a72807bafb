import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parse } from "yaml";
import { writeArchive } from "../../component-base/dist/images/index.js";
import { ownPlatform } from "./platforms.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const skip = ownPlatform === undefined && "there is no executable for this machine";
let folder;
let sums;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-action-")));
  mkdirSync(join(folder, "release"));
  const name = `envtest-v1.29.0-${ownPlatform}.tar.gz`;
  const contents = "#!/bin/sh\n";
  const entries = [{ name: "controller-tools/envtest/gatehouse", mode: 0o755, contents }];
  const { sha256 } = await writeArchive(join(folder, "release", name), entries, 0);
  sums = `${sha256}  ${name}\n`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setUp(variables) {
  writeFileSync(join(folder, "release/SHA256SUMS"), sums);
  const at = (name) => join(folder, name);
  const env = {
    ...{ PATH: process.env.PATH, RUNNER_TEMP: folder, RELEASE_URL: pathToFileURL(at("release")).href },
    ...{ GITHUB_PATH: at("path"), GITHUB_ENV: at("env"), GITHUB_OUTPUT: at("output") },
    ...{ SUMS_SHA256: "", START: "false", FLAGS: "", ...variables },
  };
  return spawnSync(join(root, "deploy/github-action/setup.sh"), { env, encoding: "utf8" });
}

test("the action names the folder of kube-apiserver and etcd for the steps that follow", { skip }, () => {
  const sumsSha256 = createHash("sha256").update(sums).digest("hex");
  const { status, stdout, stderr } = setUp({ SUMS_SHA256: sumsSha256 });
  assert.equal(status, 0, stdout + stderr);
  const assets = join(folder, "gatehouse/envtest");
  assert.equal(readFileSync(join(folder, "env"), "utf8"), `KUBEBUILDER_ASSETS=${assets}\n`);
  assert.equal(readFileSync(join(folder, "output"), "utf8"), `assets=${assets}\n`);
  assert.equal(readFileSync(join(folder, "path"), "utf8"), `${join(folder, "gatehouse/bin")}\n`);
});

test("the action refuses an archive that is not the one of the checksums, and checksums of another release", {
  skip,
}, () => {
  const other = setUp({ SUMS_SHA256: "0".repeat(64) });
  assert.equal(other.status, 1);
  assert.match(other.stdout, /::error::SHA256SUMS of .* is not the one that sums-sha256 names/);
  sums = sums.replace(/^[0-9a-f]{64}/, "0".repeat(64));
  const damaged = setUp({});
  assert.equal(damaged.status, 1);
  assert.match(damaged.stdout, /::error::envtest-v1\.29\.0-.* is not the file that SHA256SUMS names/);
});

test("the action gives its script every variable that the script reads", () => {
  const action = parse(readFileSync(join(root, "action.yml"), "utf8"));
  const { env, run } = action.runs.steps[0];
  assert.match(run, /deploy\/github-action\/setup\.sh/);
  const inputs = Object.values(env).map((value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1]);
  assert.deepEqual(inputs, Object.keys(action.inputs));
  const script = readFileSync(join(root, "deploy/github-action/setup.sh"), "utf8");
  for (const name of Object.keys(env)) {
    assert.match(script, new RegExp(`\\$${name}\\b`));
  }
});
