import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeHeaders } from "./header-block.js";
import { statusOfBlock } from "./status-of-block.js";

test("the first request fills the dynamic table, and the others are indexes into it", () => {
  const { first, repeated } = encodeHeaders([
    [":method", "GET"],
    [":scheme", "https"],
    [":authority", "127.0.0.1"],
    [":path", "/x"],
    ["accept", "*/*"],
  ]);
  assert.equal(first.toString("latin1"), "\x82\x87\x41\x09127.0.0.1\x44\x02/x\x53\x03*/*");
  assert.deepEqual([...repeated], [0x82, 0x87, 0x80 | 64, 0x80 | 63, 0x80 | 62]);
});

test("a long value has its length in more than one byte", () => {
  const path = `/${"x".repeat(299)}`;
  const { first } = encodeHeaders([[":path", path]]);
  assert.deepEqual([...first.subarray(0, 4)], [0x44, 0x7f, 0xad, 0x01]);
  assert.equal(first.subarray(4).toString(), path);
});

const blocks: readonly (readonly [title: string, block: readonly number[], status: number | undefined])[] = [
  ["200 by its index", [0x88, 0x55], 200],
  ["404 by its index, after an update of the table's size", [0x20, 0x8d], 404],
  ["201 in Huffman code", [0x48, 0x82, 0x10, 0x03], 201],
  ["409 in Huffman code", [0x48, 0x83, 0x68, 0x0f, 0xff], 409],
  ["429 as plain text, not indexed", [0x08, 0x03, 0x34, 0x32, 0x39], 429],
  ["a status that came before", [0x80 | 70], undefined],
  ["a block that begins with something else", [0x82], Number.NaN],
];

for (const [title, block, status] of blocks) {
  test(`of a response's header block the status is read: ${title}`, () => {
    assert.equal(statusOfBlock(Buffer.from(block)), status);
  });
}
