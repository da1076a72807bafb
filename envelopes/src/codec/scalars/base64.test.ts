import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalBase64 } from "./base64.js";

const accepted: readonly (readonly [string, string])[] = [
  ["", ""],
  ["Zm9v", "Zm9v"],
  ["Zm8=", "Zm8="],
  ["Zg==", "Zg=="],
  ["Zm9v\nZm9v\r\n", "Zm9vZm9v"],
  ["Zg=\n=\n", "Zg=="],
  // Bits that padding leaves over are dropped.
  ["Zh==", "Zg=="],
];

for (const [text, expected] of accepted) {
  test(`base64 ${JSON.stringify(text)} is written ${JSON.stringify(expected)}`, () => {
    assert.equal(canonicalBase64(text), expected);
  });
}

const refused: readonly (readonly [string, number])[] = [
  ["Zm9", 0],
  ["Zm9vZ", 4],
  ["Zg", 0],
  ["Z===", 1],
  ["Zg=", 3],
  ["Zg=x", 2],
  ["Zg==x", 4],
  ["Zm8=Zm8=", 4],
  ["Zm-v", 2],
  ["Zm_v", 2],
  ["Z m9v", 1],
  ["é", 0],
];

for (const [text, at] of refused) {
  test(`base64 ${JSON.stringify(text)} is refused at byte ${at}`, () => {
    assert.throws(() => canonicalBase64(text), { message: `illegal base64 data at input byte ${at}` });
  });
}
