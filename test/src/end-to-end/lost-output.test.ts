import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const noFullDevice = !existsSync("/dev/full") && "there is no /dev/full";

interface Manifest {
  readonly workspaces?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

/**
 * Waits for the program's own first words, writes to standard error in several turns of the event loop, as a library does,
 * and tells that it got so far.
 */
const complainer = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from "node:fs";
  const { write } = process.stdout;
  process.stdout.write = function (...parameters) {
    process.stdout.write = write;
    let turns = 0;
    const timer = setInterval(() => {
      console.error(new Error("a complaint"));
      if (++turns === 4) {
        clearInterval(timer);
        writeSync(3, "alive");
      }
    }, 5);
    return write.apply(this, parameters);
  };`)}`;

/** Every program that a workspace publishes, by name. */
const programs = (readManifest(".").workspaces ?? []).flatMap((workspace) =>
  Object.entries(readManifest(workspace).bin ?? {}).map(([name, path]) => [name, join(root, workspace, path)] as const),
);

test("there are programs to look at", () => {
  assert.ok(programs.length >= 8, String(programs.length));
});

for (const [name, script] of programs) {
  test(`${name} says in one line that its output was lost on a full disk`, { skip: noFullDevice }, async () => {
    const child = spawn(process.execPath, [script, "--help"], {
      stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    });
    let errors = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const [code] = await once(child, "close");
    assert.equal(code, 1);
    assert.equal(errors, "standard output: ENOSPC: no space left on device, write\n");
  });

  test(`${name} goes on when what its libraries write to standard error is lost`, { skip: noFullDevice }, async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, ["--import", complainer, script, "--help"], {
      stdio: ["ignore", full, full, "pipe"],
    });
    let told = "";
    (child.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    await once(child, "close");
    assert.equal(told, "alive");
  });
}
