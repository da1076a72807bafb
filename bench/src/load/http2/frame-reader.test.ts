import assert from "node:assert/strict";
import { test } from "node:test";
import { frame, frameFlags, frameTypes } from "./frame.js";
import { FrameReader } from "./frame-reader.js";

const sent = Buffer.concat([
  frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
  frame(frameTypes.headers, frameFlags.endHeaders, 1, Buffer.from([0x88, 0x55])),
  frame(frameTypes.data, 0, 1, Buffer.from("abc")),
  frame(frameTypes.data, frameFlags.endStream, 1, Buffer.alloc(0)),
]);

for (const pieceBytes of [1, 2, 5, 9, 10, 1000]) {
  test(`frames are the same whatever they come in: pieces of ${pieceBytes}`, () => {
    const seen: unknown[] = [];
    let data = "";
    const reader = new FrameReader({
      data: (bytes) => {
        data += bytes.toString();
      },
      dataEnd: (flags, length) => seen.push(["data", flags, length]),
      control: (type, flags, payload) => seen.push([type, flags, [...payload]]),
    });
    for (let at = 0; at < sent.length; at += pieceBytes) {
      reader.read(sent.subarray(at, at + pieceBytes));
    }
    assert.equal(data, "abc");
    assert.deepEqual(seen, [
      [frameTypes.settings, 0, []],
      [frameTypes.headers, frameFlags.endHeaders, [0x88, 0x55]],
      ["data", 0, 3],
      ["data", frameFlags.endStream, 0],
    ]);
  });
}
