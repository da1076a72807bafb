import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { undocumentedExports } from "./check-docs.mjs";

/** Gives `use` the folder of a made-up repository. */
function inRepository(files, use) {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-docs-"));
  const all = { "package.json": JSON.stringify({ workspaces: ["server", "test", "bench"] }), ...files };
  try {
    mkdirSync(join(root, "server"));
    for (const [path, content] of Object.entries(all)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Returns the violations in one file of the server. */
function missingIn(content) {
  return inRepository({ "server/src/a.ts": content }, (root) => undocumentedExports(root)[0]?.missing);
}

for (const declaration of [
  "export const a = 1;",
  "export type a = string;",
  "export interface a {}",
  "export class a {}",
  "export abstract class a {}",
  "export enum a {}",
  "export function a() {}",
  "export function* a() {}",
  "export async function a() {}",
  "export async function* a() {}",
]) {
  test(`docs: ${declaration} passes with a doc comment, and is listed without`, () => {
    assert.deepEqual(missingIn(`/** One. */\n${declaration}`), []);
    assert.deepEqual(missingIn(`\n${declaration}`), ["server/src/a.ts:2: a"]);
  });
}

const rows = [
  ["a comment of several lines counts", "/**\n * One.\n */\nexport const a = 1;", []],
  ["a line comment is no doc comment", "// One.\nexport const a = 1;", ["server/src/a.ts:2: a"]],
  [
    "a comment apart from the declaration is another's",
    "/** File. */\n\nexport const a = 1;",
    ["server/src/a.ts:3: a"],
  ],
  ["what is not exported needs none", "const a = 1;\nfunction b() {}", []],
  ["what is passed on is documented where it is declared", 'export { a } from "./b.js";\nexport * from "./c.js";', []],
  [
    "signatures of one function share a comment",
    "/** One. */\nexport function a(b: string): void;\nexport function a(b: number): void;",
    [],
  ],
];

for (const [name, content, expected] of rows) {
  test(`docs: ${name}`, () => {
    assert.deepEqual(missingIn(content), expected);
  });
}

test("docs: tests, generated files and workspaces that nobody imports are left out", () => {
  const paths = [
    "server/src/a.test.ts",
    "server/src/a.test.support.ts",
    "server/src/a.d.ts",
    "server/src/a.js",
    "server/src/generated/a.ts",
    "server/dist/a.ts",
    "server/node_modules/b/a.ts",
    "test/src/a.ts",
    "bench/src/a.ts",
  ];
  const files = Object.fromEntries(paths.map((path) => [path, "export const a = 1;"]));
  assert.deepEqual(inRepository(files, undocumentedExports), [{ workspace: "server", count: 0, missing: [] }]);
});

/** Runs the command on a server with so many exports. */
function run({ documented, bare }, ...flags) {
  const content = "/** One. */\nexport const a = 1;\n".repeat(documented) + "\nexport const b = 1;\n".repeat(bare);
  return inRepository({ "server/src/a.ts": content }, (root) => {
    const script = fileURLToPath(new URL("check-docs.mjs", import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, [script, ...flags, root], { encoding: "utf8" });
    return { status, lines: stdout.trimEnd().split("\n") };
  });
}

test("docs: 95 of 100 are enough", () => {
  assert.deepEqual(run({ documented: 19, bare: 1 }), { status: 0, lines: ["docs: server: 95.0% of 20 exports"] });
});

test("docs: with fewer the command fails and names those that lack a comment", () => {
  assert.deepEqual(run({ documented: 18, bare: 1 }), {
    status: 1,
    lines: ["server/src/a.ts:38: b", "docs: server: 94.7% of 19 exports, too few"],
  });
});

test("docs: --all names them even when there are enough", () => {
  assert.deepEqual(run({ documented: 19, bare: 1 }, "--all"), {
    status: 0,
    lines: ["server/src/a.ts:40: b", "docs: server: 95.0% of 20 exports"],
  });
});

test("docs: a server without exports passes", () => {
  assert.deepEqual(run({ documented: 0, bare: 0 }), { status: 0, lines: ["docs: server: 100.0% of 0 exports"] });
});
