import assert from "node:assert/strict";
import { test } from "node:test";
import { type WritableFile, writeWhole } from "./write-whole.js";

/** A file that takes no more than so many bytes at a time, and all in all. */
function slowFile(atATime: number, size: number): WritableFile & { readonly content: Buffer } {
  const content = Buffer.alloc(size);
  return {
    content,
    async writev(buffers, position) {
      if (position >= size) {
        throw new Error("ENOSPC");
      }
      const bytes = Buffer.concat(buffers).subarray(0, Math.min(atATime, size - position));
      content.set(bytes, position);
      return { bytesWritten: bytes.length };
    },
  };
}

const texts = ["a".repeat(10), "b", "", "c".repeat(7), "d", "e".repeat(30), "f"];
const whole = texts.join("");
const buffers = texts.map((text) => Buffer.from(text));

test("everything is written in its order, however little the disk takes at a time", async () => {
  for (let atATime = 1; atATime <= whole.length; atATime++) {
    const file = slowFile(atATime, whole.length + 3);
    await writeWhole(file, buffers, 3);
    assert.equal(file.content.toString("latin1", 3), whole, String(atATime));
  }
});

test("a disk that is full in the middle fails the write", async () => {
  await assert.rejects(writeWhole(slowFile(5, whole.length - 1), buffers, 0), new Error("ENOSPC"));
});
