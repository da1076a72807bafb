import assert from "node:assert/strict";
import { test } from "node:test";
import { parseGoBoolean } from "./boolean.js";

test("the spellings of Go's ParseBool are booleans and all others are none", () => {
  const spellings = ["1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"];
  assert.deepEqual(spellings.map(parseGoBoolean), [...Array<boolean>(6).fill(true), ...Array<boolean>(6).fill(false)]);
  for (const text of ["", "tRUE", "yes", "no", "01", " true", "toString"]) {
    assert.equal(parseGoBoolean(text), undefined, text);
  }
});
