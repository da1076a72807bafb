import assert from "node:assert/strict";
import { test } from "node:test";
import { toLower } from "./to-lower.js";

const rows = { "Pod É": "pod é", ΑΣ: "ασ", "Σ ΣΑΣ": "σ σασ", İI: "ii", ẞ: "ß", "😀A": "😀a" };

for (const [text, lower] of Object.entries(rows)) {
  test(`${text} is ${lower} in lower case`, () => {
    assert.equal(toLower(text), lower);
  });
}

test("every other character is written in lower case as it is anywhere", () => {
  for (let point = 0; point < 0x110000; point++) {
    const character = String.fromCodePoint(point);
    const lower = toLower(character);
    assert.equal([...lower].length, 1, character);
    if (point !== 0x130) {
      assert.equal(lower, character.toLowerCase());
    }
  }
});
