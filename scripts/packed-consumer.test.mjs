import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { findUnusable, makeConsumer, packWorkspaces } from "./packed-consumer.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gatehouse-consumer-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the problems of a package of these files. */
function foundIn(name, files) {
  const manifest = { name, version: "1.0.0", type: "module", exports: "./dist/index.js", files: ["dist"] };
  const workspaces = join(folder, `${name}-workspaces`);
  const all = {
    "package.json": JSON.stringify({ private: true, workspaces: ["one"] }),
    "one/package.json": JSON.stringify(manifest),
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`one/${path}`, text])),
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(workspaces, path)), { recursive: true });
    writeFileSync(join(workspaces, path), text);
  }
  const packed = packWorkspaces(workspaces, ["one"], join(folder, `${name}-tarballs`));
  const consumer = join(folder, `${name}-consumer`);
  makeConsumer(consumer, root, packed);
  return findUnusable(consumer, root).join("\n");
}

test("consumer: a package that has all that its types and modules name is usable", () => {
  const files = { "dist/index.js": "export const a = 1;\n", "dist/index.d.ts": "export declare const a: number;\n" };
  assert.equal(foundIn("whole", files), "");
});

test("consumer: types of a file that is not in the package are found", () => {
  const types = 'export type { A } from "../src/a.js";\n';
  const found = foundIn("typeless", {
    "dist/index.js": "",
    "dist/index.d.ts": types,
    "src/a.ts": "export type A = 1;\n",
  });
  assert.match(found, /the types do not compile:\n.*dist\/index\.d\.ts.*'\.\.\/src\/a\.js'/);
});

test("consumer: a package that nobody has named among the dependencies is found", () => {
  const found = foundIn("undeclared", { "dist/index.js": 'import "yaml";\n', "dist/index.d.ts": "export {};\n" });
  assert.match(found, /the modules cannot be loaded:\n[\s\S]*Cannot find package 'yaml'/);
});
