import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf } from "./spec-tests.mjs";
import { coveragePage } from "./specification-coverage.mjs";

const verbs = "test/src/spec/verbs.ts";

test("the name of a test is split into section, row and statement", () => {
  assert.deepEqual(partsOf("Endpoints, Verbs, get: one object"), {
    section: "Verbs",
    row: "get",
    statement: "one object",
  });
  assert.deepEqual(partsOf("Watch events, rule 7: the end is whole: always"), {
    section: "Watch events",
    row: "7",
    statement: "the end is whole: always",
  });
  assert.equal(partsOf("Errors: all of them are a Status").row, "");
});

test("a name that begins with no section is refused with the name", () => {
  assert.throws(() => partsOf("Verbosity, get: one object"), /Verbosity, get/);
  assert.throws(() => partsOf("Verbs, get"), /SECTION, ROW: statement/);
});

test("the page has a table for each section that tests name, in the order of the specification", () => {
  const page = coveragePage([
    { name: "Errors, 2: a", file: "test/src/spec/errors.ts" },
    { name: "Endpoints, Verbs, list: b", file: verbs },
  ]);
  const headings = [...page.matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  assert.deepEqual(headings, ["Verbs", "Errors"]);
});

test("rows of one rule stand together, and what Markdown would read is escaped", () => {
  const page = coveragePage([
    { name: "Verbs, get: <Kind> | object", file: verbs },
    { name: "Verbs, list: many", file: verbs },
    { name: "Verbs, get: again", file: verbs },
  ]);
  const link = "[verbs.ts](../test/src/spec/verbs.ts)";
  assert.ok(
    page.includes(`| get | \\<Kind> \\| object | ${link} |\n| get | again | ${link} |\n| list | many | ${link} |\n`),
    page,
  );
});
