import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { splitLines } from "./split-lines.js";

function linesOf(pieces: readonly string[], maxLineBytes?: number): string[] {
  const lines: string[] = [];
  const take = splitLines((line) => lines.push(line), maxLineBytes);
  for (const piece of pieces) {
    take(Buffer.from(piece));
  }
  return lines;
}

describe("splitLines", () => {
  it("puts lines together from pieces, and leaves out empty ones and an unfinished one", () => {
    assert.deepEqual(linesOf(["a", "b\nc\n\n", "d\ne"]), ["ab", "c", "d"]);
  });

  it("throws when a line is longer than it may be, whether it has ended or not", () => {
    assert.deepEqual(linesOf(["abcd\n", "ab", "cd\n"], 4), ["abcd", "abcd"]);
    assert.throws(() => linesOf(["abcde\n"], 4), { message: "a line is longer than 4 bytes" });
    assert.throws(() => linesOf(["abc", "de"], 4), { message: "a line is longer than 4 bytes" });
  });
});
