import assert from "node:assert/strict";
import { test } from "node:test";
import { names, rulesOf } from "./spec-coverage.mjs";

const spec = `
## States

1. First.

| Name | Text |
|---|---|
| \`a/<brand>\` (b) | Something. |

### Terminology

| Term | Meaning |
|---|---|
| kind | Not to be tested. |
`;

test("numbered rules and table rows are found, and those of other parts are left out", () => {
  assert.deepEqual(rulesOf(spec), [
    { section: "States", key: "1", isNumber: true },
    { section: "States", key: "a/kubernetes (b)", isNumber: false },
  ]);
});

test("a test names a rule by section and number, also several and below another section", () => {
  const rule = { section: "States", key: "2", isNumber: true };
  assert.ok(names("States, 2: it is so", rule));
  assert.ok(names("Endpoints, States, rule 2: it is so", rule));
  assert.ok(names("States, 1, 2 and 3: it is so", rule));
  assert.ok(!names("States, 22: it is so", rule));
  assert.ok(!names("States: two of them", rule));
});

test("a test names a row by the text of its first column", () => {
  const row = { section: "States", key: "Live (not marked)", isNumber: false };
  assert.ok(names("States, Live (not marked), delete: it is so", row));
  assert.ok(!names("States, Terminating: it is so", row));
});
