import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WireReader } from "./wire-reader.js";
import { WireWriter } from "./wire-writer.js";

describe("integers of 64 bits in protobuf", () => {
  it("are written in as few bytes as they take, at every power of two", () => {
    for (let bit = 0n; bit < 64n; bit++) {
      for (const value of [2n ** bit - 1n, 2n ** bit, 2n ** bit + 1n]) {
        const writer = new WireWriter(1);
        writer.varint64(value);
        const bytes = writer.finish();
        const size = Math.max(1, Math.ceil(value.toString(2).length / 7));
        assert.equal(bytes.length, size, `${value}`);
        const read = new WireReader(bytes).int64(bytes.length);
        assert.equal(BigInt.asUintN(64, BigInt(read)), value);
      }
    }
  });

  it("take ten bytes when they are negative", () => {
    const writer = new WireWriter();
    writer.varint64(-1n);
    assert.equal(writer.finish().toString("hex"), "ffffffffffffffffff01");
  });
});
