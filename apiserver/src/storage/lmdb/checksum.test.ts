import assert from "node:assert/strict";
import { test } from "node:test";
import { checksumBytes, isWhole, seal } from "./checksum.js";

const sealed = (text: string, seed: number): Buffer => seal(Buffer.concat([Buffer.from(text), Buffer.alloc(4)]), seed);

test("a sealed record is whole, whatever its length and its place", () => {
  for (const text of ["a", "some bytes", "x".repeat(5000)]) {
    for (const seed of [0, 1, 2 ** 32 - 1, 2 ** 40 + 7]) {
      assert.ok(isWhole(sealed(text, seed), seed), `${text.length} bytes, seed ${seed}`);
    }
  }
});

test("a record is damaged when any of its bits is flipped", () => {
  const record = sealed("some bytes", 12);
  for (let bit = 0; bit < record.length * 8; bit++) {
    const flipped = Buffer.from(record);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.ok(!isWhole(flipped, 12), `bit ${bit}`);
  }
});

test("zeros, too few bytes, and a record in the place of another are damaged", () => {
  for (let length = 0; length < 64; length++) {
    assert.ok(!isWhole(Buffer.alloc(length), 0), `${length} zeros`);
  }
  assert.ok(!isWhole(sealed("", 3).subarray(0, checksumBytes), 3));
  assert.ok(!isWhole(sealed("some bytes", 3), 4));
});
