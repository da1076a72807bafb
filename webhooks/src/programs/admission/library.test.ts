import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { runCommand } from "./commands/run-command.js";

const library = fileURLToPath(new URL("../../../../policies/library/", import.meta.url));
const names = (await readdir(library, { withFileTypes: true })).filter((entry) =>
  existsSync(join(library, entry.name, "hook.yaml")),
);

for (const { name } of names) {
  test(`the cases of ${name} hold`, async () => {
    const lines: string[] = [];
    const folder = join(library, name);
    const io = {
      print: (line: string) => lines.push(line),
      printError: (line: string) => lines.push(line),
      process: thisProcess,
      env: {},
    };
    const code = await runCommand(["test", join(folder, "cases"), "--config", join(folder, "hook.yaml")], io as never);
    assert.equal(code, 0, lines.join("\n"));
    assert.match(lines.join("\n"), /# fail 0$/);
  });
}
