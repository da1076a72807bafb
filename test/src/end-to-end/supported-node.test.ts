import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gatehouse-old-node-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Passes for an older version, and lacks what that lacks: whoever loads more than the check fails. */
function preload(version: string): string {
  const path = join(folder, `${version}.cjs`);
  writeFileSync(
    path,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
delete globalThis.crypto;
delete Object.groupBy;
`,
  );
  return path;
}

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const workspaces: readonly string[] = readJson("package.json").workspaces;
const programs = workspaces.flatMap((workspace) =>
  Object.entries<string>(readJson(`${workspace}/package.json`).bin ?? {}).map(
    ([name, path]) => [name, join(root, workspace, path)] as const,
  ),
);

function run(script: string, version: string, ...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", preload(version), script, ...argv], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("every program says in one sentence which Node.js it needs", () => {
  assert.ok(programs.length >= 11, programs.join(" "));
  for (const [name, script] of programs) {
    assert.deepEqual(run(script, "18.20.4", "--version"), {
      status: 1,
      stdout: "",
      stderr: `${name} needs Node.js 20.19 or newer; this is 18.20.4 (${process.execPath})\n`,
    });
  }
});

test("the oldest version that is supported, and newer ones, are not refused", () => {
  const script = join(root, "scripts/require-node.mjs");
  for (const version of ["20.19.0", "20.20.1", "21.0.0", "100.0.0"]) {
    assert.equal(run(script, version).status, 0, version);
  }
  for (const version of ["20.18.3", "19.9.0", "9.99.9"]) {
    assert.equal(run(script, version).status, 1, version);
  }
});

test("what npm runs in a checkout says the same before it builds", () => {
  const { scripts } = readJson("package.json");
  for (const name of ["build", "start", "test", "check", "soak", "bench"]) {
    const [, script = ""] = /^node (scripts\/\S+)/.exec(scripts[name]) ?? [];
    assert.deepEqual(
      run(join(root, script), "18.20.4"),
      {
        status: 1,
        stdout: "",
        stderr: `gatehouse needs Node.js 20.19 or newer; this is 18.20.4 (${process.execPath})\n`,
      },
      name,
    );
  }
});
