import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FrameReader, frameFlag, frameOf, frameType, numbersFrame, settingId, settingsFrame } from "./frames.js";
import { FieldEncoder } from "./hpack/field-encoder.js";
import { beginning, dataFrame, headersFrame, RawPeer, requestHead } from "./raw-peer.test.support.js";

const { endStream, endHeaders, padded, priority } = frameFlag;

/** Cuts bytes where the numbers say, taken modulo what is left. */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let rest = bytes;
  for (const cut of cuts) {
    const length = cut % (rest.length + 1);
    pieces.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return [...pieces, rest];
}

const cuts = fc.array(fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 40_000 })), { maxLength: 60 });

const anyFrame = fc
  .record({
    type: fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 255 })),
    flags: fc.oneof(fc.constantFrom(0, endStream, endHeaders, endStream | endHeaders, padded, priority), fc.nat(255)),
    streamId: fc.oneof(fc.constantFrom(0, 1, 2, 3, 5), fc.nat(2 ** 31 - 1)),
    payload: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(4, 5, 6, 8).chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
      fc.nat(16_384).map((length) => new Uint8Array(length)),
    ),
  })
  .map(({ payload, ...head }) => frameOf(head, Buffer.from(payload)));

/** Frames as a peer sends them that keeps to the rules, more or less. */
const likelyFrame = fc
  .record({
    streamId: fc.constantFrom(1, 3, 5, 7),
    fields: fc.constantFrom(requestHead, [":status", "200"], [":status", "103"], [":status", "204"], ["a", "b"]),
    data: fc.constantFrom(0, 5, 100, 16_384),
    isEnd: fc.boolean(),
    kind: fc.constantFrom("fields", "data", "window", "reset", "settings"),
  })
  .map(({ streamId, fields, data, isEnd, kind }) => {
    const end = isEnd ? endStream : 0;
    switch (kind) {
      case "fields":
        return headersFrame(streamId, new FieldEncoder().encode(fields), end | endHeaders);
      case "data":
        return dataFrame(streamId, Buffer.alloc(data), end);
      case "window":
        return numbersFrame(frameType.windowUpdate, isEnd ? 0 : streamId, 1 + data);
      case "settings":
        return settingsFrame([[settingId.initialWindowSize, data]]);
      default:
        return numbersFrame(frameType.rstStream, streamId, isEnd ? 0 : 8);
    }
  });

/** Bytes of a client with two requests, whose frames are as different as rules allow. */
function wholeRequests(peer: RawPeer): Buffer {
  const block = peer.encoder.encode([...requestHead, "x-long", "v".repeat(3000)]);
  return Buffer.concat([
    beginning("server"),
    frameOf(
      { type: frameType.headers, flags: padded | priority, streamId: 1 },
      Buffer.concat([Buffer.of(3), Buffer.alloc(5), block.subarray(0, 10), Buffer.alloc(3)]),
    ),
    frameOf({ type: frameType.continuation, flags: 0, streamId: 1 }, block.subarray(10, 2000)),
    frameOf({ type: frameType.continuation, flags: endHeaders, streamId: 1 }, block.subarray(2000)),
    frameOf({ type: 99, flags: 255, streamId: 7 }, Buffer.alloc(100)),
    dataFrame(1, Buffer.alloc(16_384)),
    settingsFrame([[settingId.initialWindowSize, 1000]]),
    peer.headers(3, requestHead),
    dataFrame(3, Buffer.concat([Buffer.of(10), Buffer.alloc(30)]), padded),
    numbersFrame(frameType.windowUpdate, 0, 100),
    dataFrame(1, Buffer.alloc(1000)),
    peer.headers(1, ["x-trailer", "1"], endStream),
    frameOf({ type: frameType.ping, flags: 0, streamId: 0 }, Buffer.from("12345678")),
    numbersFrame(frameType.rstStream, 3, 8),
    numbersFrame(frameType.goaway, 0, 0, 0),
  ]);
}

/** Returns what a server tells, and sends, when the pieces come one by one. */
async function outcome(pieces: readonly Buffer[], peer: RawPeer): Promise<unknown> {
  for (const piece of pieces) {
    peer.send(piece);
  }
  return { events: peer.events, sent: await peer.sent() };
}

describe("bytes of HTTP/2", () => {
  it("are the same frames however they are cut", () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 20 }), cuts, (frames, at) => {
        const read: Buffer[] = [];
        const reader = new FrameReader((type, flags, streamId, payload) =>
          read.push(frameOf({ type, flags, streamId }, payload)),
        );
        for (const piece of split(Buffer.concat(frames), at)) {
          reader.push(piece);
        }
        assert.deepEqual(read, frames);
      }),
    );
  });

  it("have the same effect on a connection however they are cut", async () => {
    const bytes = wholeRequests(new RawPeer("server"));
    const whole = await outcome([bytes], new RawPeer("server"));
    const { events } = whole as { events: string[] };
    assert.deepEqual(
      events.filter((event) => !event.includes("request")),
      ["ready", "1 data 16384", "3 data 20", "1 data 1000", "1 trailers x-trailer,1", "1 end", "3 close 8", "goaway 0"],
    );
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        assert.deepEqual(await outcome(split(bytes, at), new RawPeer("server")), whole);
      }),
    );
    const single = Array.from(bytes, (byte) => Buffer.of(byte));
    assert.deepEqual(await outcome(single, new RawPeer("server")), whole);
  });

  for (const role of ["client", "server"] as const) {
    it(`never throw out of a ${role}, and each stream and the connection end once, whatever they are`, async () => {
      const garbage = fc.uint8Array({ maxLength: 60 });
      const input = fc.array(
        fc.oneof(
          { weight: 20, arbitrary: likelyFrame },
          { weight: 2, arbitrary: anyFrame },
          { weight: 1, arbitrary: garbage },
        ),
        { maxLength: 30 },
      );
      await fc.assert(
        fc.asyncProperty(input, cuts, fc.boolean(), async (parts, at, pauses) => {
          const peer = RawPeer.ready(role);
          if (role === "client") {
            peer.request();
            peer.request([":method", "POST", ...requestHead.slice(2)], false).write(Buffer.alloc(1000));
          } else {
            peer.send(peer.headers(1, requestHead), peer.headers(3, requestHead, endStream));
          }
          if (pauses) {
            peer.streams[0]?.pause();
          }
          for (const piece of split(Buffer.concat(parts.map((part) => Buffer.from(part))), at)) {
            peer.send(piece);
          }
          await peer.sent();
          peer.streams[0]?.resume();
          peer.socket.emit("end");
          await peer.sent();
          const ends = peer.events.filter((event) => /^(closed|lost: )/.test(event));
          assert.equal(ends.length, 1, String(peer.events));
          for (const { id } of peer.streams) {
            const mine = peer.events.filter((event) => event.startsWith(`${id} `));
            assert.equal(mine.filter((event) => event.startsWith(`${id} close`)).length, 1, String(mine));
            assert.match(mine.at(-1) ?? "", /^[0-9]+ close/);
          }
          assert.equal(peer.connection.openStreams, 0);
        }),
        { numRuns: 300 },
      );
    });
  }
});
