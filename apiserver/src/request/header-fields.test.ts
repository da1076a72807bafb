import assert from "node:assert/strict";
import { test } from "node:test";
import { setField, setFields } from "./header-fields.js";

test("a header is set in the place of the one of its name, and behind all others if there is none", () => {
  const fields = ["A", "1", "B", "2"];
  setField(fields, "A", "3");
  setField(fields, "C", "4");
  setField(fields, "b", "5");
  assert.deepEqual(fields, ["A", "3", "B", "2", "C", "4", "b", "5"]);
});

test("a value is not taken for the name of a header", () => {
  const fields = ["A", "B", "B", "2"];
  setField(fields, "B", "3");
  assert.deepEqual(fields, ["A", "B", "B", "3"]);
});

test("headers by name are set one by one", () => {
  const fields = ["A", "1"];
  setFields(fields, { B: "3", A: "2" });
  assert.deepEqual(fields, ["A", "2", "B", "3"]);
});
