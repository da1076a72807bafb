import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { stepsOf } from "../support/documented-steps.js";
import { policyScript } from "../support/hook-server.js";
import { startCommand } from "../support/running-command.js";

const guide = await readFile(new URL("../../../docs/guides/policy-tests.md", import.meta.url), "utf8");
const policyFile = fileURLToPath(
  new URL("../../../policies/library/cel/workloads/replica-limits.yaml", import.meta.url),
);

test("the commands of the guide to tests of policies print what is shown", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-policy-guide-"));
  try {
    await mkdir(join(folder, "policies", "cases"), { recursive: true });
    await mkdir(join(folder, "bin"));
    await symlink(policyScript, join(folder, "bin", "gatehouse-policy"));
    await copyFile(policyFile, join(folder, "policies", "replica-limits.yaml"));
    const [, cases = ""] = /```yaml\n(.*?)```/s.exec(guide) ?? [];
    await writeFile(join(folder, "policies", "cases", "replica-limits.yaml"), cases);
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
    const steps = stepsOf(guide);
    assert.equal(steps.length, 4);
    for (const { command, output } of steps) {
      const { stdout, stderr } = await startCommand(command, { folder, env }).ended;
      assert.equal(`${stdout}${stderr}`, output, command);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
