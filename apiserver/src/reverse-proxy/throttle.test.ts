import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { throttle } from "./throttle.js";
import { tunnel } from "./tunnel.js";

test("bytes are passed on in pieces, and each takes its time", async () => {
  const pauses: number[] = [];
  const stream = throttle(1000, async (ms) => pauses.push(ms));
  const sent = Buffer.from(Array.from({ length: 250 }, (_none, index) => index));
  const received = await buffer(Readable.from([sent.subarray(0, 30), sent.subarray(30)]).pipe(stream));
  assert.deepEqual(received, sent);
  assert.deepEqual(pauses, [30, 100, 100, 20]);
});

test("a tunnel with a limit loses nothing at its end", async () => {
  const [one, other] = [new PassThrough(), new PassThrough()];
  // What is written to one comes out of it again, so that the tunnel carries it to the other.
  const ended = tunnel(one, other, { maxBytesPerSecond: 1e9 });
  const received: Buffer[] = [];
  other.on("data", (chunk: Buffer) => received.push(chunk));
  one.end("all of it");
  await ended;
  assert.equal(Buffer.concat(received).toString(), "all of it");
});
