import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "@gatehouse/testing/eventually";
import { comparable, stepsOf } from "../support/documented-steps.js";
import { openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { gatehouseScript } from "../support/programs.js";
import { startCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");

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
      const assertPrints = async (): Promise<void> => {
        const { stdout, stderr } = await shell.run(command);
        assert.equal(comparable(`${stdout}${stderr}`), comparable(output), command);
      };
      // Audit events arrive at the sink in batches, sooner or later after the requests.
      await (command.includes("gatehouse-audit query") ? eventually(assertPrints) : assertPrints());
    }
  } finally {
    await stack.stop("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  }
});
