import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { gatehouseScript } from "../support/programs.js";
import { startCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");

interface Step {
  readonly command: string;
  readonly output: string;
}

/** What stands in the console blocks of the README: `$ ` and `> ` begin commands and what continues them. */
function stepsOf(markdown: string): Step[] {
  const steps: { command: string; output: string }[] = [];
  for (const [, block = ""] of markdown.matchAll(/^```console\n(.*?)^```$/gms)) {
    for (const line of block.trimEnd().split("\n")) {
      const step = steps.at(-1);
      if (line.startsWith("$ ")) {
        steps.push({ command: line.slice(2), output: "" });
      } else if (step !== undefined && line.startsWith("> ")) {
        step.command += `\n${line.slice(2)}`;
      } else if (step !== undefined) {
        step.output += `${line}\n`;
      }
    }
  }
  return steps;
}

/**
 * Ages and times differ from run to run, and with them the width of columns; empty lines from kubectl to kubectl; and npm
 * has news of its own.
 */
const comparable = (text: string): string =>
  text
    .replace(/^npm (?:notice|warn).*$/gm, "")
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\b\d+m?s\b/g, "AGE")
    .replace(/ +/g, " ")
    .replace(/ $/gm, "")
    .replace(/\n+/g, "\n")
    .trim();

const kubectls = await findKubectls();
// The README says which versions print what it shows.
const skip = (kubectls.at(-1)?.minor ?? 0) < 27 && "kubectl 1.27 or newer is needed for this";

test("the tour of the README goes as it says", { skip }, async () => {
  const steps = stepsOf(readme);
  assert.ok(steps.length > 10);
  const newest = kubectls.at(-1);
  assert.ok(newest !== undefined);
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-tour-"));
  const stack = startCommand(`exec '${process.execPath}' '${gatehouseScript}' --data-dir '${folder}' --port=0`);
  try {
    await until("the stack is ready", () => stack.stdout().includes("Ctrl-C stops everything"));
    await using shell = await openKubectlShell(newest, join(folder, "kubeconfig"));
    // What a person's checkout has: the stack's folder, and the commands of its packages.
    await symlink(folder, join(shell.folder, ".gatehouse"));
    await symlink(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(shell.folder, "node_modules"));
    for (const { command, output } of steps) {
      const { stdout, stderr } = await shell.run(command);
      assert.equal(comparable(`${stdout}${stderr}`), comparable(output), command);
    }
  } finally {
    await stack.stop("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  }
});
