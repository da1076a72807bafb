import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { brokenReferences } from "./document-references.mjs";

/** Problems of a repository with the given document beside some sources. */
function problemsOf(text, document = "docs/architecture.md") {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-references-"));
  const files = {
    "server/src/kinds/core/pod/columns.ts": "",
    "docs/other.md": "# Other: a page\n\n## The `end` of it\n\n```sh\n# no heading\n```\n",
    "server/dist/built.ts": "",
    [document]: text,
  };
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return brokenReferences(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const rows = [
  ["a path from the root is found", "`server/src/kinds/` `server/src/kinds`", []],
  ["the end of a path is found", "`kinds/core/` `pod/columns.ts` `columns.ts`", []],
  ["a placeholder stands for any name", "`kinds/<group>/<kind>/columns.ts` `kinds/*/pod/`", []],
  [
    "a path that does not exist is reported with its line",
    "a\n`server/src/kind/`, `rows.ts`",
    ["docs/architecture.md:2: no such path: server/src/kind/", "docs/architecture.md:2: no such path: rows.ts"],
  ],
  [
    "a placeholder does not stand for several names",
    "`kinds/<kind>/columns.ts`",
    ["docs/architecture.md:1: no such path: kinds/<kind>/columns.ts"],
  ],
  ["a part of a name is no end of a path", "`umns.ts`", ["docs/architecture.md:1: no such path: umns.ts"]],
  ["a file that a build makes does not count", "`built.ts`", ["docs/architecture.md:1: no such path: built.ts"]],
  ["other code is no path", "`--flag` `a.b` `pods/status` `application/json` `text`", []],
  ["a link to a file and its headings is followed", "[a](other.md) [b](other.md#the-end-of-it) [c](../server)", []],
  [
    "a link to a missing file or heading is reported",
    "[a](another.md)\n[b](other.md#no-heading) [c](#here)",
    [
      "docs/architecture.md:1: no such file: another.md",
      "docs/architecture.md:2: no such heading: other.md#no-heading",
      "docs/architecture.md:2: no such heading: #here",
    ],
  ],
  [
    "addresses elsewhere and code blocks are left alone",
    "[a](https://a.example/b)\n```sh\n`rows.ts` [a](b.md)\n```\n",
    [],
  ],
  [
    "a command that would run somebody else's npm package is reported, in code blocks as well",
    "```sh\nnpx gatehouse-audit tail\nnpx gatehouse pki\nnpx --package @gatehouse/deploy gatehouse pki\n```\n",
    ["docs/architecture.md:3: somebody else's package: npx gatehouse"],
  ],
];

for (const [name, text, expected] of rows) {
  test(`document references: ${name}`, () => {
    assert.deepEqual(problemsOf(text), expected);
  });
}

test("document references: guides name paths of the reader's project, and their links are followed", () => {
  assert.deepEqual(problemsOf("`hooks/mine.ts` [a](other.md)", "docs/guides/hooks.md"), [
    "docs/guides/hooks.md:1: no such file: other.md",
  ]);
});

test("document references: the README of a workspace is a document", () => {
  assert.deepEqual(problemsOf("`rows.ts`", "server/README.md"), ["server/README.md:1: no such path: rows.ts"]);
});
