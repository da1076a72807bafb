import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { checkImports } from "./check-imports.mjs";

/** Runs the check on a made-up repository. */
function violationsOf(files, dependencies = ["envelopes", "component-base", "apiserver", "server", "test", "testing"]) {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-imports-"));
  const manifest = {
    exports: { ".": "./dist/index.js", "./extra": "./dist/extra.js", "./storage": "./dist/storage/index.js" },
    dependencies: { yaml: "1", ...Object.fromEntries(dependencies.map((name) => [`@gatehouse/${name}`, "1"])) },
  };
  const workspaces = ["envelopes", "component-base", "apiserver", "server", "webhooks", "test", "testing"];
  const all = {
    "package.json": JSON.stringify({ workspaces, devDependencies: { "fast-check": "1" } }),
    ...Object.fromEntries(workspaces.map((name) => [`${name}/package.json`, JSON.stringify(manifest)])),
    ...files,
  };
  try {
    for (const [path, content] of Object.entries(all)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return checkImports(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const rows = [
  ["what is allowed passes", "server/src/a.ts", 'import { x } from "@gatehouse/envelopes";\nimport "node:fs";', []],
  [
    "imports do not point upwards",
    "envelopes/src/a.ts",
    'import type { X } from "@gatehouse/component-base";',
    ["envelopes/src/a.ts:1: envelopes must not import component-base (@gatehouse/component-base)"],
  ],
  [
    "nothing imports the tests",
    "server/src/a.ts",
    '// one\nexport {\n  x,\n} from "@gatehouse/test";',
    ["server/src/a.ts:2: server must not import test (@gatehouse/test)"],
  ],
  [
    "the sources of a workspace do not import the test kit",
    "server/src/a.ts",
    'import { x } from "@gatehouse/testing";',
    ["server/src/a.ts:1: server must not import testing (@gatehouse/testing)"],
  ],
  [
    "tests of every workspace import the test kit",
    "envelopes/src/a.test.ts",
    'import { x } from "@gatehouse/testing";',
    [],
  ],
  ["the test kit imports the server", "testing/src/a.ts", 'import { x } from "@gatehouse/server";', []],
  [
    "the toolkit does not import the programs that are made of it",
    "webhooks/src/toolkit/a.ts",
    'import "../programs/b.js";',
    ["webhooks/src/toolkit/a.ts:1: webhooks/src/toolkit must not import webhooks/src/programs (../programs/b.js)"],
  ],
  ["programs import the toolkit", "webhooks/src/programs/b.ts", 'import "../toolkit/a.js";', []],
  [
    "what a workspace exports beside its index is imported by its path",
    "server/src/a.ts",
    'import "@gatehouse/envelopes/extra";',
    [],
  ],
  [
    "nobody reaches into another workspace",
    "server/src/a.ts",
    'const x = await import("@gatehouse/envelopes/dist/json.js");',
    [
      'server/src/a.ts:1: "@gatehouse/envelopes/dist/json.js" is no entry of envelopes: its package.json does not export the path',
    ],
  ],
  [
    "no relative import leaves a workspace",
    "server/src/a.ts",
    'import { x } from "../../envelopes/src/json.js";',
    [
      'server/src/a.ts:1: the relative import "../../envelopes/src/json.js" leaves the workspace server; import the package by its name',
    ],
  ],
  [
    "a workspace does not import itself by name",
    "server/src/a.ts",
    'import "@gatehouse/server";',
    ["server/src/a.ts:1: server imports itself by name; use a relative import"],
  ],
  [
    "storage does not know resources",
    "apiserver/src/storage/lmdb/a.ts",
    'import { x } from "../../verbs/reading/get.js";',
    [
      "apiserver/src/storage/lmdb/a.ts:1: apiserver/src/storage must not import apiserver/src/verbs (../../verbs/reading/get.js)",
    ],
  ],
  [
    "a folder that may import others imports no more than those",
    "apiserver/src/verbs/a.ts",
    'import { x } from "../storage/store.js";\nimport { y } from "../filters/audit.js";',
    ["apiserver/src/verbs/a.ts:2: apiserver/src/verbs must not import apiserver/src/filters (../filters/audit.js)"],
  ],
  [
    "tests look at a folder through those that use it",
    "apiserver/src/storage/a.test.ts",
    'import { x } from "../verbs/reading/get.js";',
    [],
  ],
  [
    "a folder that is not listed is a violation",
    "apiserver/src/novelties/a.ts",
    "",
    ["apiserver/src/novelties: the folder is not listed in scripts/import-rules.mjs"],
  ],
  [
    "admission plugins do not know storage",
    "server/src/admission-plugins/a.ts",
    'import { x } from "@gatehouse/apiserver/storage";',
    ["server/src/admission-plugins/a.ts:1: server/src/admission-plugins must not import @gatehouse/apiserver/storage"],
  ],
  [
    "envelopes do no input or output",
    "envelopes/src/a.ts",
    'import { readFile } from "node:fs/promises";\nimport http from "http";\nimport { createHash } from "node:crypto";',
    [
      "envelopes/src/a.ts:1: envelopes does no input or output, so it must not import node:fs/promises",
      "envelopes/src/a.ts:2: envelopes does no input or output, so it must not import http",
    ],
  ],
  ["tests of envelopes may read files", "envelopes/src/a.test.ts", 'import "node:fs";\nimport "fast-check";', []],
  [
    "a dependency must be declared where it is used",
    "server/src/a.ts",
    'import "fast-check";\nimport { parse } from "yaml";\nconst p = createRequire(import.meta.url)("pino");',
    [
      "server/src/a.ts:1: fast-check is not among the dependencies in server/package.json",
      "server/src/a.ts:3: pino is not among the dependencies in server/package.json",
    ],
  ],
  [
    "examples in comments are not imports",
    "envelopes/src/a.ts",
    '/**\n * import "node:fs";\n */\n// import "net";',
    [],
  ],
  [
    "a file that imports itself is a circle",
    "server/src/a.ts",
    'import "./a.js";',
    ["server/src/a.ts: imports itself in a circle: server/src/a.ts -> server/src/a.ts"],
  ],
];

for (const [title, path, source, expected] of rows) {
  test(`imports: ${title}`, () => {
    assert.deepEqual(violationsOf({ [path]: source }), expected);
  });
}

test("imports: a circle of files is found once, and all violations are reported together", () => {
  const violations = violationsOf({
    "server/src/a.ts": 'import { b } from "./b.js";\nimport "left-pad";',
    "server/src/b.ts": 'import type { C } from "./c.js";',
    "server/src/c.ts": 'export * from "./a.js";\nexport * from "./d.js";',
    "server/src/d.ts": "",
  });
  assert.deepEqual(violations, [
    "server/src/a.ts:2: left-pad is not among the dependencies in server/package.json",
    "server/src/a.ts: imports itself in a circle: server/src/a.ts -> server/src/b.ts -> server/src/c.ts -> server/src/a.ts",
  ]);
});

test("a subpath that a package exports may be imported, and no other", () => {
  const manifest = { exports: { ".": "./dist/index.js", "./effect": "./dist/effect.js" } };
  const violations = violationsOf({
    "component-base/package.json": JSON.stringify(manifest),
    "server/src/a.ts": 'import "@gatehouse/component-base/effect";\nimport "@gatehouse/component-base/other";',
  });
  assert.deepEqual(violations, [
    'server/src/a.ts:2: "@gatehouse/component-base/other" is no entry of component-base: its package.json does not export the path',
  ]);
});
