import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { stepsOf } from "../support/documented-steps.js";
import { startCommand } from "../support/running-command.js";

const guide = await readFile(new URL("../../../docs/guides/check-manifests.md", import.meta.url), "utf8");
const program = fileURLToPath(new URL("../../../deploy/bundle/gatehouse.js", import.meta.url));

test("the commands of the guide to manifests print what is shown, and standard input is checked like a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-check-guide-"));
  try {
    await Promise.all(["bin", "manifests"].map((name) => mkdir(join(folder, name))));
    await symlink(program, join(folder, "bin", "gatehouse"));
    for (const [, name = "", content = ""] of guide.matchAll(/^`(manifests\/\S+)`:\n\n```yaml\n(.*?)^```/gms)) {
      await writeFile(join(folder, name), content);
    }
    const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
    const steps = stepsOf(guide);
    assert.equal(steps.length, 2);
    for (const { command, output } of steps) {
      const { code, stdout, stderr } = await startCommand(command, { folder, env }).ended;
      assert.equal(`${stdout}${stderr}`, output, command);
      assert.equal(code, 1, command);
    }
    const piped = "cat manifests/shop.yaml | gatehouse check - --output json";
    const { code, stdout } = await startCommand(piped, { folder, env }).ended;
    assert.deepEqual([code, JSON.parse(stdout).totals], [1, { checked: 2, refused: 1, skipped: 0 }]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
