import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";
import { frameFlag, frameType, numbersFrame } from "./frames.js";
import { Http2Connection } from "./http2-connection.js";
import { errorCode } from "./http2-error.js";
import type { Http2Stream } from "./http2-stream.js";
import {
  beginning,
  dataFrame,
  fieldsOf,
  MemorySocket,
  RawPeer,
  recorder,
  requestHead,
  testLimits,
} from "./raw-peer.test.support.js";

const okHead = [":status", "200"];
const postHead = [":method", "POST", ...requestHead.slice(2)];

/** Returns a client whose only stream is paused and has a whole response to deliver; its request goes on. */
function withHeldResponse(): { readonly peer: RawPeer; readonly stream: Http2Stream } {
  const peer = RawPeer.ready("client");
  const stream = peer.request(postHead, false);
  stream.pause();
  peer.send(peer.headers(1, okHead), dataFrame(1, "held"), peer.headers(1, ["a", "b"], frameFlag.endStream));
  return { peer, stream };
}

const delivered = ["1 head :status,200", "1 data 4", "1 trailers a,b", "1 end", "1 close 0"];

describe("the end of a stream of HTTP/2", () => {
  it("comes after what is held, if the server wants no more of the request than it has", () => {
    const { peer, stream } = withHeldResponse();
    peer.send(numbersFrame(frameType.rstStream, 1, errorCode.noError));
    assert.equal(stream.isClosed, false);
    stream.resume();
    assert.deepEqual(peer.events.slice(1), delivered);
  });

  it("comes at once if the server resets it with an error", () => {
    const { peer, stream } = withHeldResponse();
    peer.send(numbersFrame(frameType.rstStream, 1, errorCode.internalError));
    stream.resume();
    assert.deepEqual(peer.events.slice(1), ["1 head :status,200", `1 close ${errorCode.internalError}`]);
  });

  it("comes after what is held if the connection is lost, and nothing is sent then", () => {
    const { peer, stream } = withHeldResponse();
    peer.socket.emit("end");
    assert.deepEqual(peer.events.slice(2), ["lost: the peer closed the connection"]);
    const frames = peer.socket.written.length;
    stream.write(Buffer.from("more"));
    stream.resume();
    assert.deepEqual(
      peer.events.filter((event) => !event.startsWith("lost")),
      ["ready", ...delivered],
    );
    assert.equal(peer.socket.written.length, frames);
    assert.equal(peer.connection.openStreams, 0);
  });

  it("comes with that of the connection when its receiver throws, whose error is not taken for one of the peer", async () => {
    const peer = RawPeer.ready("client");
    const fault = new TypeError("a fault of the receiver");
    const stream = peer.request();
    stream.receiver = {
      ...recorder(peer.events, "1 "),
      onHead() {
        throw fault;
      },
    };
    assert.throws(() => peer.send(peer.headers(1, okHead)), fault);
    assert.deepEqual(await peer.complaints(), [`goaway: ${errorCode.internalError}`]);
    assert.deepEqual(peer.events.slice(1), [`lost: ${fault.message}`, `1 close ${errorCode.internalError}`]);
  });

  it("comes at once for what is held if this side destroys the connection", () => {
    const { peer, stream } = withHeldResponse();
    peer.connection.destroy();
    stream.resume();
    assert.deepEqual(peer.events.slice(2), ["closed", `1 close ${errorCode.internalError}`]);
  });

  it("wakes those that wait for data to be sent", () => {
    const peer = RawPeer.ready("client");
    const stream = peer.request(postHead, false);
    stream.write(Buffer.alloc(100_000));
    stream.whenDrained(() => peer.events.push("drained"));
    peer.send(numbersFrame(frameType.rstStream, 1, errorCode.cancel));
    assert.deepEqual(peer.events.slice(1), [`1 close ${errorCode.cancel}`, "drained"]);
  });

  it("is told to the receiver of a request that was reset while it was accepted", async () => {
    const events: string[] = [];
    const socket = new MemorySocket();
    new Http2Connection(socket as unknown as Socket, {
      limits: testLimits,
      serving: {
        maxStreams: 1,
        maxPendingBytes: 1_000_000,
        accept: (stream) => {
          stream.reset(errorCode.cancel);
          return recorder(events);
        },
      },
      listener: { onClose() {} },
    });
    const peer = new RawPeer("client");
    socket.emit("data", Buffer.concat([beginning("server"), peer.headers(1, requestHead, frameFlag.endStream)]));
    assert.deepEqual(events, [`close ${errorCode.cancel}`]);
  });
});

describe("the end of a connection of HTTP/2", () => {
  it("waits for a peer that takes the last response slowly", async (test) => {
    test.mock.timers.enable({ apis: ["setTimeout"] });
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, requestHead, frameFlag.endStream));
    peer.socket.isStalled = true;
    (peer.streams[0] as Http2Stream).respond(okHead, false);
    peer.streams[0]?.end(Buffer.alloc(50_000));
    peer.connection.close();
    assert.equal(peer.events.at(-1), "closed");
    test.mock.timers.tick(20_000);
    assert.equal(peer.socket.destroyed, false);
    test.mock.timers.tick(20_000);
    assert.equal(peer.socket.destroyed, true);
  });

  it("does not wait for long for a peer that breaks rules and reads nothing", async (test) => {
    test.mock.timers.enable({ apis: ["setTimeout"] });
    const peer = RawPeer.ready("server");
    peer.socket.isStalled = true;
    peer.send(dataFrame(0, "x"));
    assert.equal(peer.socket.destroyed, false);
    test.mock.timers.tick(1000);
    assert.equal(peer.socket.destroyed, true);
  });

  it("is told once, whatever comes after it", async () => {
    const peer = RawPeer.ready("client");
    peer.request();
    peer.connection.destroy(new Error("enough"));
    peer.connection.destroy();
    peer.connection.close();
    peer.connection.ping(() => peer.events.push("pinged"));
    peer.socket.emit("error", new Error("late"));
    peer.socket.emit("end");
    peer.send(peer.headers(1, okHead), dataFrame(1, "x"));
    await peer.sent();
    assert.deepEqual(peer.events, ["ready", "lost: enough", `1 close ${errorCode.internalError}`]);
    assert.throws(() => peer.request(), /takes no more requests/);
  });

  it("refuses requests that come after this side has said that it closes", async () => {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, requestHead));
    peer.connection.close();
    peer.send(peer.headers(3, requestHead));
    assert.deepEqual(await peer.complaints(), ["goaway: 0", `reset 3: ${errorCode.refusedStream}`]);
    (peer.streams[0] as Http2Stream).respond(okHead, true);
    assert.deepEqual(peer.events.slice(-2), ["closed", "1 close 0"]);
  });
});

describe("a stream of a server of HTTP/2", () => {
  /** Returns a server that has answered a request on which the client still sends. */
  function withAnswered(): RawPeer {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, postHead), dataFrame(1, "first"));
    peer.streams[0]?.respond(okHead, false);
    peer.streams[0]?.end(Buffer.from("enough"));
    return peer;
  }

  it("stops the client some time after it has the whole response, if it still sends", async (test) => {
    test.mock.timers.enable({ apis: ["setInterval"] });
    const peer = withAnswered();
    test.mock.timers.tick(1000);
    peer.send(dataFrame(1, "late"));
    assert.deepEqual(await peer.complaints(), []);
    test.mock.timers.tick(1000);
    assert.deepEqual(await peer.complaints(), ["reset 1: 0"]);
    assert.deepEqual(peer.events.slice(2), ["1 data 5", "1 close 0"]);
  });

  for (const [what, last] of [
    ["data", () => dataFrame(1, "last", frameFlag.endStream)],
    ["trailers", (peer: RawPeer) => peer.headers(1, ["a", "b"], frameFlag.endStream)],
    ["a reset", () => numbersFrame(frameType.rstStream, 1, errorCode.cancel)],
  ] as const) {
    it(`lets the client end its side with ${what} once it has the whole response`, async (test) => {
      test.mock.timers.enable({ apis: ["setInterval"] });
      const peer = withAnswered();
      peer.send(last(peer));
      test.mock.timers.tick(5000);
      assert.deepEqual(await peer.complaints(), []);
      assert.deepEqual(peer.events.slice(2), ["1 data 5", "1 close 0"]);
    });
  }

  it("stops the client at once where it has a hundred others to end", async (test) => {
    test.mock.timers.enable({ apis: ["setInterval"] });
    const peer = RawPeer.ready("server");
    for (let id = 1; id <= 203; id += 2) {
      peer.send(peer.headers(id, postHead));
      peer.streams.at(-1)?.respond(okHead, true);
    }
    assert.deepEqual(await peer.complaints(), ["reset 201: 0", "reset 203: 0"]);
  });

  it("drops what it holds of a request once it has sent the whole response", async () => {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, postHead));
    peer.streams[0]?.pause();
    peer.send(dataFrame(1, "nobody reads it", frameFlag.endStream));
    peer.streams[0]?.respond(okHead, true);
    assert.deepEqual(peer.events.slice(2), ["1 close 0"]);
    assert.equal(peer.connection.openStreams, 0);
    assert.deepEqual(await peer.complaints(), []);
  });

  it("sends interim responses before its head, and none after its end", async () => {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, postHead, frameFlag.endStream));
    const [stream] = peer.streams as [Http2Stream];
    stream.inform(103);
    stream.respond(okHead, true);
    stream.inform(103);
    assert.deepEqual(fieldsOf(await peer.sent()), [":status,103", ":status,200"]);
  });

  it("is not reset when its response is complete before the end of the request has been delivered", async () => {
    const lasts = [
      () => dataFrame(1, "last", frameFlag.endStream),
      (peer: RawPeer) => peer.headers(1, ["a", "b"], frameFlag.endStream),
      () => dataFrame(1, "", frameFlag.endStream),
    ];
    for (const last of lasts) {
      const peer = RawPeer.ready("server");
      peer.send(peer.headers(1, postHead));
      const stream = peer.streams[0] as Http2Stream;
      const answer = (): void => stream.respond(okHead, true);
      stream.receiver = { ...recorder(peer.events, "1 "), onData: answer, onTrailers: answer, onEnd: answer };
      peer.send(last(peer));
      assert.deepEqual(await peer.complaints(), []);
      assert.equal(peer.events.at(-1), "1 close 0");
    }
  });
});
