import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { frameFlag } from "./frames.js";
import { HeldData } from "./held-data.js";
import { dataFrame, RawPeer } from "./raw-peer.test.support.js";

describe("data that waits until a stream of HTTP/2 is resumed", () => {
  it("is what was added, in order, whatever is taken in between", () => {
    const addition = fc.tuple(fc.constantFrom(1, 7, 9000, 16_383, 16_384, 20_000), fc.boolean());
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 40 }), (additions) => {
        const held = new HeldData();
        const added: Buffer[] = [];
        const taken: Buffer[] = [];
        for (const [at, [length, isTaken]] of additions.entries()) {
          const bytes = Buffer.alloc(length, at);
          added.push(bytes);
          held.add(bytes);
          const piece = isTaken ? held.shift() : undefined;
          taken.push(...(piece === undefined ? [] : [piece]));
        }
        for (let piece = held.shift(); piece !== undefined; piece = held.shift()) {
          taken.push(piece);
        }
        assert.ok(held.isEmpty);
        assert.ok(Buffer.concat(taken).equals(Buffer.concat(added)));
      }),
    );
  });

  it("comes in a few pieces when the peer has sent its window byte by byte, and then the end", () => {
    const peer = RawPeer.ready("client");
    const stream = peer.request();
    peer.send(peer.headers(1, [":status", "200"]));
    stream.pause();
    const bytes = Array.from({ length: 40_000 }, () => dataFrame(1, "x"));
    peer.send(...bytes, peer.headers(1, ["a", "b"], frameFlag.endStream));
    assert.equal(peer.events.length, 2);
    stream.resume();
    assert.deepEqual(peer.events.slice(2), [
      "1 data 1",
      "1 data 16384",
      "1 data 16384",
      "1 data 7231",
      "1 trailers a,b",
      "1 end",
      "1 close 0",
    ]);
  });
});
