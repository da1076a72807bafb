import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkComments, commentsOf } from "./check-comments.mjs";

/** Calls `use` with the folder of a made-up repository. */
function inRepository(files, use) {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-comments-"));
  const all = { "package.json": JSON.stringify({ workspaces: ["server"] }), "scripts/a.mjs": "", ...files };
  try {
    for (const [path, content] of Object.entries({ "server/src/b.ts": "", ...all })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return use(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Lines of one file of the server that violate a rule. */
function violationsIn(content) {
  return inRepository({ "server/src/a.ts": content }, checkComments).map((violation) =>
    violation.replace(/^server\/src\/a\.ts:/, ""),
  );
}

const notTheSubject = (beginning) => `a documentation comment must name its subject first, not "${beginning}"`;
const absent = (paper) => `${paper} is not in the repository; cite a decision, a KEP, an RFC or the API reference`;

for (const [comment, beginning] of [
  ["What the disk holds.", "What"],
  ["Whether it is open.", "Whether"],
  ["When it was made.", "When"],
  ["Of these one is chosen.", "Of"],
  ["It's the store.", "It"],
  ["where it lies.", "where"],
  ["The same for lists.", "The same"],
  ["The one that leads.", "The one"],
  ["All that was read.", "All that"],
  ["Undefined: no limit.", "Undefined"],
  ["Undefined if there is no limit.", "Undefined"],
  ["Empty for the core group.", "Empty"],
  ["False when it is closed.", "False"],
  ["Default: 10.", "Default"],
]) {
  test(`comments: /** ${comment} */ is reported`, () => {
    assert.deepEqual(violationsIn(`/** ${comment} */\nexport const a = 1;`), [`1: ${notTheSubject(beginning)}`]);
  });
}

for (const comment of [
  "Returns the object.",
  "The store.",
  "True if it is open.",
  "The limit; undefined for none.",
  "Empty object that all requests share.",
  "Default namespace.",
  "Thenable result.",
  "In-memory store.",
  "OR of two expressions.",
  "`of` as the path has it.",
  "@internal",
  "",
]) {
  test(`comments: /** ${comment} */ passes`, () => {
    assert.deepEqual(violationsIn(`/** ${comment} */\nexport const a = 1;`), []);
  });
}

const rows = [
  [
    "a comment of several lines is reported where it begins",
    "\n/**\n * What it is.\n */",
    [`2: ${notTheSubject("What")}`],
  ],
  ["a phrase may go over the end of a line", "/** All\n * that was read. */", [`1: ${notTheSubject("All that")}`]],
  ["a later sentence may begin with any word", "/** The store. What it holds is on disk. */", []],
  ["a line comment may begin with any word", "// What follows is slow.\n/* What follows is slow. */", []],
  [
    "a member's comment counts",
    "interface A {\n  /** Whether open. */\n  b: boolean;\n}",
    [`2: ${notTheSubject("Whether")}`],
  ],
  ["a citation is reported on its own line", "/**\n * The rule.\n * (SPEC, 3)\n */", [`3: ${absent("SPEC")}`]],
  [
    "a citation in a line comment is reported",
    "a();\n// As DESIGN and STYLE.md say.",
    [`2: ${absent("DESIGN")}`, `2: ${absent("STYLE")}`],
  ],
  ["words that only look like a citation pass", "// spec, SPECIAL, DESIGNED, MY_STYLE", []],
  ["a string is no comment", 'const a = "/** What */ // SPEC";', []],
];

for (const [name, content, expected] of rows) {
  test(`comments: ${name}`, () => {
    assert.deepEqual(violationsIn(content), expected);
  });
}

const seen = "/* seen */";
for (const [name, source] of [
  ["strings of both kinds", `const a = "/* no */" + '// no \\' /* no */'; ${seen}`],
  ["a template", `const a = \`/* no */ // no\`; ${seen}`],
  ["a template with substitutions", `const a = \`/* no */ \${ b } // no \${ c } /* no */\`; ${seen}`],
  ["a template within a template", `const a = \`\${ \`/* no */ \${ b }\` } /* no */\`; ${seen}`],
  ["a comment within a substitution", `const a = \`/* no */ \${ b ${seen} } /* no */\`;`],
  ["an object within a substitution", `const a = \`\${ f({ b: { c: 1 } }) } /* no */\`; ${seen}`],
  ["blocks around a template", `if (a) { b(\`\${ c } /* no */\`); } ${seen}`],
  ["a regular expression", `const a = /[/]\\/* no \\*/; ${seen}`],
  ["a regular expression with a quote", `const a = /"/.test(b); ${seen} const c = '"';`],
  ["a regular expression with a backtick as an argument", `f(/\`/g); ${seen}`],
  ["a regular expression after return", `function f() { return /'/; } ${seen}`],
  ["divisions", `const a = b / c; ${seen} const d = (e) / f[0] / 2;`],
  ["a division after a contextual keyword as a name", `const a = type / 2; ${seen} const b = c / 2;`],
  ["a division after a keyword as a member", `const a = b.default / 2; ${seen} const c = d?.in / 2;`],
  ["a shebang", `#!/usr/bin/env node\n${seen}`],
  ["types", `const a = <T,>(b: Map<string, Set<T>>): b is T => b! / 2; ${seen}`],
]) {
  test(`comments: in a source with ${name} the comment is found, and only it`, () => {
    assert.deepEqual(
      commentsOf(source).map(({ start, text }) => [start, text]),
      [[source.indexOf(seen), seen]],
    );
  });
}

test("comments: sources of all workspaces and of the scripts are read, but no generated or foreign ones", () => {
  const read = ["server/src/a.mts", "server/src/a.test.ts", "server/tools/a.mjs", "scripts/c.mjs"];
  const paths = [
    ...read,
    "server/src/a.d.ts",
    "server/src/a.js",
    "server/src/generated/a.ts",
    "server/dist/a.mjs",
    "server/bundle/a.mjs",
    "server/node_modules/b/a.ts",
    "docs/a.ts",
  ];
  const files = Object.fromEntries(paths.map((path) => [path, "/** What */"]));
  assert.deepEqual(
    inRepository(files, checkComments),
    read.map((path) => `${path}:1: ${notTheSubject("What")}`),
  );
});

/** Runs the command on a server with this source. */
function run(content) {
  return inRepository({ "server/src/a.ts": content }, (root) => {
    const script = fileURLToPath(new URL("check-comments.mjs", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
    return { status, stdout, stderr };
  });
}

test("comments: the command names each violation and fails", () => {
  assert.deepEqual(run("/** What */"), {
    status: 1,
    stdout: "comments: 1 violations\n",
    stderr: `server/src/a.ts:1: ${notTheSubject("What")}\n`,
  });
});

test("comments: the command passes without a violation", () => {
  assert.deepEqual(run("/** The server. */"), { status: 0, stdout: "comments: ok\n", stderr: "" });
});
