import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FieldDecoder } from "./field-decoder.js";
import { FieldEncoder } from "./field-encoder.js";

function decoderOf(): FieldDecoder {
  return new FieldDecoder({ maxTableBytes: 4096, maxListBytes: 10_000_000 });
}

function hexOf(encoder: FieldEncoder, ...fields: readonly string[]): string {
  return encoder.encode(fields).toString("hex");
}

/** Fields as they come again and again on a connection: few names, values that repeat, some of them long. */
const field = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(":method", ":path", "authorization", "cookie", "content-type", "x-a", "x-b", "grpc-status"),
      fc.stringMatching(/^[a-z0-9-]{1,12}$/),
    ),
    fc.oneof(
      fc.constantFrom("", "GET", "/", "a", "application/grpc", "long".repeat(40), "longer".repeat(150)),
      fc.stringMatching(/^[!-~\xa1-\xff]{0,40}$/),
    ),
  )
  .map(([name, value]) => [name, value]);

describe("the encoder of fields", () => {
  it("sends an index for a field of the static table", () => {
    assert.equal(hexOf(new FieldEncoder(), ":method", "GET", ":status", "404", "accept", ""), "828d93");
  });

  it("adds a field when it is sent for the second time, and sends its index from the third on", () => {
    const encoder = new FieldEncoder();
    assert.equal(hexOf(encoder, "x-a", "1"), "0003782d610131");
    assert.equal(hexOf(encoder, "x-a", "1"), "4003782d610131");
    assert.equal(hexOf(encoder, "x-a", "1"), "be");
    assert.equal(hexOf(encoder, "x-a", "1", "x-b", "2", "x-b", "2"), `be${"0003782d620132"}${"4003782d620132"}`);
    assert.equal(hexOf(encoder, "x-a", "1", "x-b", "2"), "bfbe");
  });

  it("adds a field again once a name begins to repeat whose values were all new", () => {
    const encoder = new FieldEncoder();
    const decoder = decoderOf();
    const sizeOf = (value: string): number => {
      const block = encoder.encode(["x-a", value]);
      assert.deepEqual(decoder.decode(Buffer.from(block)).fields, ["x-a", value]);
      return block.length;
    };
    for (let number = 0; number < 1000; number++) {
      assert.ok(sizeOf(`new-${number}`) > 1);
    }
    const sizes = Array.from({ length: 100 }, () => sizeOf("the same"));
    assert.ok(sizes.lastIndexOf(1) === 99, "the field is never sent as an index");
    assert.ok(sizes.indexOf(1) < 40, "the field is added late");
  });

  it("never lets a table keep a secret", () => {
    const encoder = new FieldEncoder();
    for (let time = 0; time < 3; time++) {
      assert.equal(hexOf(encoder, "authorization", "x"), "1f080178");
      assert.equal(hexOf(encoder, "cookie", "x"), "1f110178");
    }
  });

  it("says in the next block that the peer's table is smaller", () => {
    const encoder = new FieldEncoder();
    encoder.limitTable(8192); // it does not grow
    assert.equal(hexOf(encoder, ":method", "GET"), "82");
    encoder.limitTable(100);
    encoder.limitTable(0);
    encoder.limitTable(4096);
    assert.equal(hexOf(encoder, ":method", "GET"), "2082");
    for (let time = 0; time < 3; time++) {
      assert.equal(hexOf(encoder, "x-a", "1"), "0003782d610131");
    }
  });

  it("writes lengths of any size", () => {
    for (const length of [126, 127, 128, 254, 255, 16_510, 16_511, 2_200_000]) {
      const value = "v".repeat(length);
      assert.deepEqual(decoderOf().decode(new FieldEncoder().encode(["x", value])).fields, ["x", value]);
    }
  });

  it("is understood over many blocks of one connection, whatever the peer's table may hold", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(field, { maxLength: 12 }), fc.option(fc.nat({ max: 5000 }), { freq: 8 })), {
          minLength: 1,
          maxLength: 60,
        }),
        (blocks) => {
          const encoder = new FieldEncoder();
          const decoder = decoderOf();
          for (const [block, limit] of blocks) {
            if (limit !== null) {
              encoder.limitTable(limit);
            }
            const fields = block.flat();
            assert.deepEqual(decoder.decode(encoder.encode(fields)).fields, fields);
          }
        },
      ),
    );
  });

  it("keeps in step with the peer's table when it evicts", () => {
    const encoder = new FieldEncoder();
    const decoder = decoderOf();
    let indexed = 0;
    // Each field is sent three times near by: added by the second, referred to by the third.
    for (let at = 0; at < 1000; at++) {
      for (const number of [at, at - 1, at - 2]) {
        const fields = ["x-number", String(number), "x-first", "always"];
        const block = encoder.encode(fields);
        indexed += block.length === 2 ? 1 : 0;
        assert.deepEqual(decoder.decode(block).fields, fields);
      }
    }
    assert.ok(indexed > 500, String(indexed));
  });
});
