import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(script: string, argument: string): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, argument], { encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The programs that the packages install, by name. */
function programs(): readonly (readonly [name: string, script: string])[] {
  return ["server", "deploy", "webhooks", "audit-sink", "credential-plugins"].flatMap((workspace) => {
    const manifest = fileURLToPath(new URL(`../../../${workspace}/package.json`, import.meta.url));
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly bin: Readonly<Record<string, string>> };
    return Object.entries(bin).map(([name, path]) => [name, join(dirname(manifest), path)] as const);
  });
}

for (const [name, script] of programs()) {
  test(`${name} takes help and version as words and as flags, and refuses flags and words that it does not know`, () => {
    const help = run(script, "--help");
    assert.deepEqual([help.status, help.stderr], [0, ""]);
    assert.match(help.stdout, /^Usage:$/m);
    assert.deepEqual(run(script, "help"), help);
    assert.deepEqual(run(script, "-h"), help);

    const version = run(script, "--version");
    const shown = name === "gatehouse-apiserver" ? "Kubernetes v1.29" : `${name.replace("kubectl-", "kubectl ")} v`;
    assert.deepEqual([version.status, version.stderr], [0, ""]);
    assert.ok(version.stdout.startsWith(shown), version.stdout);
    assert.deepEqual(run(script, "version"), version);

    for (const wrong of ["--wrongflag", "wrongword"]) {
      const refused = run(script, wrong);
      assert.deepEqual([refused.status, refused.stdout], [1, ""], wrong);
      assert.match(refused.stderr, new RegExp(`${wrong}`));
      assert.equal(refused.stderr.trim().split("\n").length, 1);
    }
  });
}
