import assert from "node:assert/strict";
import { test } from "node:test";
import { AdmissionChain } from "./admission-chain.js";
import { Blame } from "./blame.js";
import { testAttributes } from "./testing/test-write.js";

test("what differs is told by the smallest parts that do", () => {
  const blame = new Blame();
  blame.note("plugin A", "admit", 1, { a: 1, b: { "c/d": [1, 2] } }, { b: { "c/d": [1, 3, 4] }, e: {} });
  blame.note("plugin B", "admit", 1, { metadata: { managedFields: [1] } }, { metadata: { managedFields: [2] } });
  assert.deepEqual(
    blame.entries.map(({ changed }) => changed),
    [["/a", "/e", "/b/c~1d/1", "/b/c~1d/2"], []],
  );
});

test("a header is ASCII and bounded, and keeps those who have changed something", () => {
  const blame = new Blame();
  for (let index = 0; index < 500; index++) {
    blame.note(`plugin ${index}`, "admit", 1);
  }
  blame.note("webhook c/é", "admit", 1.23456, { a: 1 }, { a: 2 });
  assert.equal(blame.headerText(), '[{"by":"webhook c/\\u00e9","phase":"admit","ms":1.235,"changed":["/a"]}]');
});

test("every plugin is named with what it has changed, and whoever asks is told", async () => {
  const told: string[] = [];
  const attributes = testAttributes({ object: { a: 1 }, tellBlame: (text) => told.push(text) });
  const setting = { name: "Sets", admit: () => attributes.mutate((object) => ({ ...object, b: 2 })) };
  const judging = { name: "Judges", validate: () => {} };
  const chain = new AdmissionChain([setting, judging], undefined, { blames: true });
  await chain.mutate(attributes);
  await chain.validate(attributes);
  const [text = ""] = told;
  assert.deepEqual(
    (JSON.parse(text) as { by: string; changed: string[] }[]).map(({ by, changed }) => [by, changed]),
    [
      ["plugin Sets", ["/b"]],
      ["plugin Judges", []],
    ],
  );
  assert.equal(attributes.annotations.get("blame.admission.gatehouse.dev/entries"), text);
});
