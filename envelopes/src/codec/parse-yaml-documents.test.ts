import assert from "node:assert/strict";
import { test } from "node:test";
import { YamlDocumentError } from "../errors.js";
import { parseYamlDocuments } from "./parse-yaml-documents.js";

// The values are those that kubectl and kube-apiserver v1.29 read.
const rows: readonly [name: string, text: string, documents: readonly (readonly [line: number, value: unknown])[]][] = [
  ["one document", "a: 1\n", [[1, { a: 1 }]]],
  ["a divider on top", "---\na: 1\n", [[2, { a: 1 }]]],
  [
    "several documents",
    "a: 1\n---\nb: 2\n--- # third\n\nc: 3\n",
    [
      [1, { a: 1 }],
      [3, { b: 2 }],
      [6, { c: 3 }],
    ],
  ],
  [
    "line breaks of Windows",
    "a: 1\r\n---\r\nb: 2\r\n",
    [
      [1, { a: 1 }],
      [3, { b: 2 }],
    ],
  ],
  ["documents without content", "# nothing\n---\n\n---\na: 1\n---\n", [[5, { a: 1 }]]],
  ["no content at all", "", []],
  [
    "octal numbers, booleans of YAML 1.1 and merge keys",
    "m: &m {mode: 0644}\no: {<<: *m, p: on}\n",
    [[1, { m: { mode: 420 }, o: { mode: 420, p: true } }]],
  ],
  ["JSON", '{"a": [1]}', [[1, { a: [1] }]]],
];

for (const [name, text, documents] of rows) {
  test(`YAML documents: ${name}`, async () => {
    const found = await parseYamlDocuments(text);
    assert.deepEqual(
      found.map(({ line, value }) => [line, value]),
      documents,
    );
  });
}

test("YAML documents: a mistake is told with its line in the whole text", async () => {
  await assert.rejects(parseYamlDocuments("a: 1\n---\nb: [1,\nc: 2"), (error) => {
    assert.ok(error instanceof YamlDocumentError);
    assert.deepEqual([error.line, error.message], [4, "did not find expected ',' or ']'"]);
    return true;
  });
});
