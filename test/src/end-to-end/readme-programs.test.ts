import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = new URL("../../../", import.meta.url);

for (const workspace of ["apiserver", "custom-resources"]) {
  test(`the program in the README of ${workspace} prints what the README says`, async () => {
    const readme = readFileSync(new URL(`${workspace}/README.md`, root), "utf8");
    const [, program = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const [, output = ""] = /This prints `([^`]*)`/.exec(readme) ?? [];
    // Beside the compiled package, where its name is found.
    const file = fileURLToPath(new URL(`${workspace}/dist/readme-${process.pid}.mjs`, root));
    writeFileSync(file, program);
    try {
      const { stdout } = await run(process.execPath, [file]);
      assert.equal(stdout, `${output}\n`);
    } finally {
      rmSync(file);
    }
  });
}
