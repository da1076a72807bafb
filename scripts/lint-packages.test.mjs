import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { lintPackages } from "./lint-packages.mjs";

const manifest = {
  name: "a",
  version: "1.0.0",
  license: "Apache-2.0",
  type: "module",
  exports: { "./b": { types: "./b.d.ts", default: "./b.js" } },
};

/** Packs a package of these files and lints it. */
async function problemsOf(files) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-lint-"));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    execFileSync("npm", ["pack", "--ignore-scripts", "--silent"], { cwd: folder, stdio: "ignore" });
    return await lintPackages(new Map([["a", { tarball: join(folder, "a-1.0.0.tgz") }]]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("lint of packages: an ES module with its types has no problems", async () => {
  const files = { "b.js": "export const b = 1;\n", "b.d.ts": "export declare const b = 1;\n" };
  assert.deepEqual(await problemsOf({ "package.json": JSON.stringify(manifest), ...files }), []);
});

test("lint of packages: a module that is not in the tarball is reported", async () => {
  const files = { "b.d.ts": "export declare const b = 1;\n" };
  const problems = await problemsOf({ "package.json": JSON.stringify(manifest), ...files });
  assert.match(problems.join("\n"), /^a: publint: .*b\.js.* does not exist/m);
});

test("lint of packages: types that a compiler of others cannot resolve are reported", async () => {
  const files = {
    "b.js": "export const b = 1;\n",
    "b.d.ts": 'export { b } from "./c";\n',
    "c.d.ts": "export declare const b = 1;\n",
  };
  const problems = await problemsOf({ "package.json": JSON.stringify(manifest), ...files });
  assert.match(problems.join("\n"), /^a: its types are wrong at "": InternalResolutionError$/m);
});
