import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { frameFlag, frameType, numbersFrame, settingId, settingsFrame } from "./frames.js";
import { RawPeer, requestHead } from "./raw-peer.test.support.js";

const postHead = [":method", "POST", ...requestHead.slice(2)];

/** Returns the bytes of data that have been sent on each stream, and the streams that have been ended. */
async function sentOf(peer: RawPeer): Promise<{ readonly bytes: Record<number, number>; readonly ended: number[] }> {
  const bytes: Record<number, number> = {};
  const ended: number[] = [];
  for (const { type, flags, streamId, payload } of await peer.sent()) {
    if (type === frameType.data) {
      bytes[streamId] = (bytes[streamId] ?? 0) + payload.length;
      assert.ok(payload.length <= 16_384);
      if ((flags & frameFlag.endStream) !== 0) {
        ended.push(streamId);
      }
    }
  }
  return { bytes, ended };
}

/** Lets `rounds` of the event loop pass, in which the socket is written to. */
async function pass(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("data of a connection of HTTP/2", () => {
  it("waits for the window of the connection, which streams share", async () => {
    const peer = RawPeer.ready("client");
    peer.send(settingsFrame([[settingId.initialWindowSize, 1_000_000]]));
    peer.request(postHead, false).end(Buffer.alloc(60_000));
    peer.request(postHead, false).end(Buffer.alloc(60_000));
    peer.request(postHead, false).end();
    await pass(5);
    assert.deepEqual(await sentOf(peer), { bytes: { 1: 60_000, 3: 5535, 5: 0 }, ended: [1, 5] });
    peer.send(numbersFrame(frameType.windowUpdate, 0, 100));
    await pass(5);
    assert.equal((await sentOf(peer)).bytes[3], 5635);
    peer.send(numbersFrame(frameType.windowUpdate, 0, 54_365));
    await pass(5);
    assert.deepEqual(await sentOf(peer), { bytes: { 1: 60_000, 3: 60_000, 5: 0 }, ended: [1, 5, 3] });
  });

  it("waits for the window of its stream, and lets others go on", async () => {
    const peer = RawPeer.ready("client");
    peer.send(settingsFrame([[settingId.initialWindowSize, 10]]));
    peer.request(postHead, false).end(Buffer.alloc(100));
    peer.request(postHead, false).end(Buffer.alloc(10));
    peer.send(settingsFrame([[settingId.initialWindowSize, 0]]), numbersFrame(frameType.windowUpdate, 1, 15));
    await pass(5);
    assert.deepEqual(await sentOf(peer), { bytes: { 1: 15, 3: 10 }, ended: [3] });
    peer.send(settingsFrame([[settingId.initialWindowSize, 85]]));
    await pass(5);
    assert.deepEqual(await sentOf(peer), { bytes: { 1: 100, 3: 10 }, ended: [3, 1] });
  });

  it("takes turns between streams when the socket takes no more", async () => {
    const peer = RawPeer.ready("client");
    peer.send(settingsFrame([[settingId.initialWindowSize, 1_000_000]]));
    peer.send(numbersFrame(frameType.windowUpdate, 0, 1_000_000));
    peer.socket.isStalled = true;
    for (let stream = 0; stream < 3; stream++) {
      peer.request(postHead, false).end(Buffer.alloc(200_000));
    }
    await pass(5);
    peer.socket.release();
    await pass(50);
    const { bytes, ended } = await sentOf(peer);
    assert.deepEqual(bytes, { 1: 200_000, 3: 200_000, 5: 200_000 });
    assert.equal(ended.length, 3);
    const order = (await peer.sent()).filter(({ type }) => type === frameType.data).map(({ streamId }) => streamId);
    assert.ok(order.indexOf(5) < order.lastIndexOf(1), "the last stream does not wait for the whole of the first");
  });

  it("goes on at once when the socket takes as much as is put together", async () => {
    const peer = RawPeer.ready("client", { highWaterMark: 10_000_000 });
    peer.send(settingsFrame([[settingId.initialWindowSize, 1_000_000]]));
    peer.send(numbersFrame(frameType.windowUpdate, 0, 1_000_000));
    peer.request(postHead, false).end(Buffer.alloc(500_000));
    await pass(50);
    assert.deepEqual(await sentOf(peer), { bytes: { 1: 500_000 }, ended: [1] });
  });

  it("is not sent after a reset, however much of it waits", async () => {
    const peer = RawPeer.ready("client");
    const stream = peer.request(postHead, false);
    stream.end(Buffer.alloc(100_000));
    await pass(5);
    stream.reset(8);
    stream.write(Buffer.alloc(10));
    peer.send(numbersFrame(frameType.windowUpdate, 0, 100_000), numbersFrame(frameType.windowUpdate, 1, 100_000));
    await pass(5);
    assert.deepEqual(await sentOf(peer), { bytes: { 1: 65_535 }, ended: [] });
    assert.deepEqual(await peer.complaints(), ["reset 1: 8"]);
  });
});
