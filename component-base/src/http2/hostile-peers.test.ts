import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { frameFlag, frameOf, frameType, numbersFrame, preface, settingId, settingsFrame } from "./frames.js";
import { errorCode } from "./http2-error.js";
import type { Http2Stream } from "./http2-stream.js";
import { beginning, dataFrame, headersFrame, RawPeer, requestHead } from "./raw-peer.test.support.js";

const { endStream, endHeaders, padded, priority } = frameFlag;
const post = [...requestHead.slice(2), ":method", "POST"];
const okHead = [":status", "200"];

function frame(type: number, streamId: number, payload: Buffer | string = "", flags = 0): Buffer {
  return frameOf({ type, flags, streamId }, Buffer.from(payload as string, "latin1"));
}

/** Returns a frame's head that announces more than follows. */
function headOf(type: number, streamId: number, length: number): Buffer {
  const bytes = frame(type, streamId);
  bytes.writeUIntBE(length, 0, 3);
  return bytes;
}

/** Frames that a peer sends after it has begun as it should, and the code with which the connection ends. */
type Breach = readonly [name: string, code: number, send: (peer: RawPeer) => readonly Buffer[]];

const { protocolError, frameSizeError, flowControlError, compressionError, enhanceYourCalm } = errorCode;

const settingOf = (id: number, value: number): Buffer => settingsFrame([[id, value]]);

/** Breaches that end a connection of either role. */
const breaches: readonly Breach[] = [
  ["a frame that is too long", frameSizeError, () => [headOf(frameType.data, 1, 16_385)]],
  ["an unknown frame that is too long", frameSizeError, () => [headOf(99, 0, 16_385)]],
  ["a short priority", frameSizeError, () => [frame(frameType.priority, 1, "1234")]],
  ["a priority of no stream", protocolError, () => [frame(frameType.priority, 0, "12345")]],
  ["a long reset", frameSizeError, () => [frame(frameType.rstStream, 1, "12345")]],
  ["a reset of no stream", protocolError, () => [numbersFrame(frameType.rstStream, 0, 8)]],
  ["a reset of a stream that has not begun", protocolError, () => [numbersFrame(frameType.rstStream, 5, 8)]],
  ["settings of a wrong length", frameSizeError, () => [frame(frameType.settings, 0, "12345")]],
  ["an acknowledgement with settings", frameSizeError, () => [frame(frameType.settings, 0, "123456", frameFlag.ack)]],
  ["settings of a stream", protocolError, () => [frame(frameType.settings, 1)]],
  ["a push that is neither on nor off", protocolError, () => [settingOf(settingId.enablePush, 2)]],
  ["a window that is too large", flowControlError, () => [settingOf(settingId.initialWindowSize, 2 ** 31)]],
  ["frames that are too short", protocolError, () => [settingOf(settingId.maxFrameSize, 16_383)]],
  ["frames that are too long", protocolError, () => [settingOf(settingId.maxFrameSize, 2 ** 24)]],
  ["a push", protocolError, () => [frame(frameType.pushPromise, 1, "12345", endHeaders)]],
  ["a short ping", frameSizeError, () => [frame(frameType.ping, 0, "1234567")]],
  ["a ping of a stream", protocolError, () => [frame(frameType.ping, 1, "12345678")]],
  ["a short end of the connection", frameSizeError, () => [frame(frameType.goaway, 0, "1234567")]],
  ["an end of a stream's connection", protocolError, () => [frame(frameType.goaway, 1, "12345678")]],
  ["a long change of the window", frameSizeError, () => [frame(frameType.windowUpdate, 0, "12345")]],
  ["no change of the connection's window", protocolError, () => [numbersFrame(frameType.windowUpdate, 0, 0)]],
  [
    "a window of the connection that is too large",
    flowControlError,
    () => [numbersFrame(frameType.windowUpdate, 0, 2 ** 31 - 65_535)],
  ],
  ["a change of no stream's window", protocolError, () => [numbersFrame(frameType.windowUpdate, 5, 1)]],
  ["data of no stream", protocolError, () => [dataFrame(0, "x")]],
  ["data of a stream that has not begun", protocolError, () => [dataFrame(5, "x")]],
  ["fields of no stream", protocolError, (peer) => [peer.headers(0, requestHead)]],
  ["a continuation of nothing", protocolError, () => [frame(frameType.continuation, 1, "", endHeaders)]],
  [
    "a frame amidst a block of fields",
    protocolError,
    () => [headersFrame(1, Buffer.alloc(0), 0), frame(frameType.ping, 0, "12345678")],
  ],
  [
    "an unknown frame amidst a block of fields",
    protocolError,
    () => [headersFrame(1, Buffer.alloc(0), 0), frame(99, 1)],
  ],
  [
    "a continuation of another stream's fields",
    protocolError,
    () => [headersFrame(1, Buffer.alloc(0), 0), frame(frameType.continuation, 3, "", endHeaders)],
  ],
  [
    "empty continuations without end",
    enhanceYourCalm,
    () => [headersFrame(1, Buffer.alloc(0), 0), ...Array.from({ length: 100 }, () => frame(frameType.continuation, 1))],
  ],
  [
    "long continuations without end",
    enhanceYourCalm,
    () => [
      headersFrame(1, Buffer.alloc(0), 0),
      ...Array.from({ length: 4 }, () => frame(frameType.continuation, 1, "\x00".repeat(16_384))),
    ],
  ],
  ["fields with too much padding", protocolError, () => [headersFrame(1, Buffer.of(2, 0x82), padded)]],
  ["padded fields of no bytes", frameSizeError, () => [headersFrame(1, Buffer.alloc(0), padded | endHeaders)]],
  ["fields with a cut priority", frameSizeError, () => [headersFrame(1, Buffer.alloc(4), priority | endHeaders)]],
  [
    "padded fields with a cut priority",
    frameSizeError,
    () => [headersFrame(1, Buffer.alloc(5), priority | padded | endHeaders)],
  ],
  ["a block that is no HPACK", compressionError, () => [headersFrame(1, Buffer.of(0x80), endHeaders)]],
  ["a block that is cut off", compressionError, () => [headersFrame(1, Buffer.of(0x40), endHeaders)]],
];

describe("a connection of HTTP/2 with a hostile peer", () => {
  for (const role of ["client", "server"] as const) {
    for (const [name, code, send] of breaches) {
      it(`ends at ${name}, as a ${role}`, async () => {
        const peer = RawPeer.ready(role);
        if (role === "client") {
          peer.request();
        }
        peer.send(...send(peer), frame(frameType.ping, 0, "after it"));
        assert.deepEqual(await peer.complaints(), [`goaway: ${code}`]);
        assert.equal(peer.events.filter((event) => event.startsWith("lost: ")).length, 1, String(peer.events));
        assert.equal(peer.events.filter((event) => event === "1 close 2").length, role === "client" ? 1 : 0);
        assert.ok(peer.connection.isClosed);
      });
    }
  }

  const firsts: readonly (readonly [string, "client" | "server", Buffer])[] = [
    ["HTTP/1.1", "server", Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")],
    ["no settings", "server", Buffer.concat([preface, frame(frameType.ping, 0, "12345678")])],
    ["an acknowledgement", "server", Buffer.concat([preface, frame(frameType.settings, 0, "", frameFlag.ack)])],
    ["a ping", "client", frame(frameType.ping, 0, "12345678")],
  ];
  for (const [name, role, bytes] of firsts) {
    it(`ends when it begins with ${name}, as a ${role}`, async () => {
      const peer = new RawPeer(role);
      peer.send(bytes);
      assert.deepEqual(await peer.complaints(), [`goaway: ${protocolError}`]);
      assert.equal(peer.events.length, 1);
    });
  }

  it("ends when the first bytes, which may be none of HTTP/2, are a frame too long for it", async () => {
    const peer = new RawPeer("client");
    peer.send(Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"));
    assert.deepEqual(await peer.complaints(), [`goaway: ${frameSizeError}`]);
  });
});

/** Fields that a client sends after it has begun as it should, and the answer for its stream, which no other suffers from. */
const badRequests: readonly (readonly [name: string, fields: readonly string[]])[] = [
  ["a name in upper case", [...requestHead, "Accept", "x"]],
  ["a name with a blank", [...requestHead, "a b", "x"]],
  ["no name", [...requestHead, "", "x"]],
  ["a value with a line's end", [...requestHead, "a", "x\r\nb: y"]],
  ["a value with a control character", [...requestHead, "a", "x\x01"]],
  ["a value that ends with DEL", [...requestHead, "a", "x\x7f"]],
  ["connection", [...requestHead, "connection", "close"]],
  ["transfer-encoding", [...requestHead, "transfer-encoding", "chunked"]],
  ["upgrade", [...requestHead, "upgrade", "x"]],
  ["keep-alive", [...requestHead, "keep-alive", "1"]],
  ["proxy-connection", [...requestHead, "proxy-connection", "x"]],
  ["te other than trailers", [...requestHead, "te", "gzip"]],
  ["a pseudo-field after others", ["a", "x", ...requestHead]],
  ["a pseudo-field twice", [...requestHead, ":path", "/"]],
  ["an unknown pseudo-field", [...requestHead, ":x", "y"]],
  ["a pseudo-field of responses", [...requestHead, ":status", "200"]],
  ["no method", requestHead.slice(2)],
  ["no scheme", [":method", "GET", ":path", "/"]],
  ["no path", [":method", "GET", ":scheme", "http"]],
  ["an empty path", [":method", "GET", ":scheme", "http", ":path", ""]],
  ["a path with a tab", [":method", "GET", ":scheme", "http", ":path", "/a\tb"]],
  ["a path with a blank before", [":method", "GET", ":scheme", "http", ":path", " /a"]],
  ["a method with a blank", [":method", "GET ", ":scheme", "http", ":path", "/"]],
  ["a scheme with a blank", [":method", "GET", ":scheme", "http ", ":path", "/"]],
  ["a length with a blank", [...requestHead, "content-length", "1 "]],
  ["CONNECT", [":method", "CONNECT", ":authority", "x:1"]],
  ["two lengths", [...requestHead, "content-length", "1", "content-length", "2"]],
  ["a length that is no number", [...requestHead, "content-length", "-1"]],
  ["fields that are too large together", [...requestHead, "a", "x".repeat(9000)]],
];

describe("a server of HTTP/2", () => {
  for (const [name, fields] of badRequests) {
    it(`refuses a request with ${name}, and serves the next`, async () => {
      const peer = RawPeer.ready("server");
      peer.send(peer.headers(1, fields), peer.headers(3, requestHead, endStream));
      assert.deepEqual(await peer.complaints(), [`reset 1: ${protocolError}`]);
      assert.deepEqual(peer.events, ["ready", `3 request ${requestHead.join(",")} without content`, "3 end"]);
    });
  }

  it("takes blanks around values as a part of them, and in a path and an authority, as Go's servers do", async () => {
    const peer = RawPeer.ready("server");
    const pseudo = [":method", "GET", ":scheme", "http", ":path", "/a b\xe9 ", ":authority", " test\t"];
    const head = [...pseudo, "a", " x ", "b", "\ty\t", "c", " ", "d", "é"];
    // Sent twice, so that the second comes from the table of fields.
    peer.send(peer.headers(1, head, endStream), peer.headers(3, head, endStream), peer.headers(5, head, endStream));
    assert.deepEqual(await peer.complaints(), []);
    const requests = peer.events.filter((event) => event.includes("request"));
    assert.deepEqual(
      requests,
      [1, 3, 5].map((id) => `${id} request ${head.join(",")} without content`),
    );
  });

  it("refuses a request with more fields than anybody needs, which may be a byte each, and serves the next", async () => {
    const peer = RawPeer.ready("server", { limits: { maxListBytes: 1_000_000 } });
    const withFields = (count: number): string[] => [
      ...requestHead,
      ...Array.from({ length: count - requestHead.length / 2 }, () => ["a", "b"]).flat(),
    ];
    peer.send(peer.headers(1, withFields(2001), endStream), peer.headers(3, withFields(2000), endStream));
    assert.deepEqual(await peer.complaints(), [`reset 1: ${protocolError}`]);
    assert.equal(peer.events.at(-1), "3 end");
  });

  it("refuses requests beyond its limit, and takes more when one has ended", async () => {
    const peer = RawPeer.ready("server", { maxStreams: 1 });
    peer.send(peer.headers(1, requestHead, endStream), peer.headers(3, requestHead, endStream));
    assert.deepEqual(await peer.complaints(), [`reset 3: ${errorCode.refusedStream}`]);
    (peer.streams[0] as Http2Stream).respond(okHead, true);
    peer.send(peer.headers(5, requestHead, endStream));
    assert.deepEqual(await peer.complaints(), [`reset 3: ${errorCode.refusedStream}`]);
    assert.equal(peer.streams.length, 2);
  });

  it("ends the connection for a stream that only servers begin", async () => {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(2, requestHead));
    assert.deepEqual(await peer.complaints(), [`goaway: ${protocolError}`]);
  });

  const contents: readonly (readonly [string, number, (peer: RawPeer) => readonly Buffer[]])[] = [
    ["more content than announced", protocolError, () => [dataFrame(1, "1234567")]],
    ["less content than announced", protocolError, () => [dataFrame(1, "12345", endStream)]],
    ["trailers before the announced content", protocolError, (peer) => [peer.headers(1, ["a", "b"], endStream)]],
    ["trailers that do not end it", protocolError, (peer) => [dataFrame(1, "123456"), peer.headers(1, ["a", "b"])]],
    [
      "trailers with a pseudo-field",
      protocolError,
      (peer) => [dataFrame(1, "123456"), peer.headers(1, [":path", "/"], endStream)],
    ],
    ["malformed trailers", protocolError, (peer) => [dataFrame(1, "123456"), peer.headers(1, ["A", "b"], endStream)]],
    ["no change of its window", protocolError, () => [numbersFrame(frameType.windowUpdate, 1, 0)]],
    ["a window that is too large", flowControlError, () => [numbersFrame(frameType.windowUpdate, 1, 2 ** 31 - 1)]],
    ["data after its end", errorCode.streamClosed, () => [dataFrame(1, "123456", endStream), dataFrame(1, "7")]],
    [
      "fields after its end",
      errorCode.streamClosed,
      (peer) => [dataFrame(1, "123456", endStream), peer.headers(1, ["a", "b"], endStream)],
    ],
  ];
  for (const [name, code, send] of contents) {
    it(`resets a request with ${name}, and serves the next`, async () => {
      const peer = RawPeer.ready("server");
      peer.send(peer.headers(1, [...post.slice(-2), ...post.slice(0, -2), "content-length", "6"]), ...send(peer));
      peer.send(peer.headers(3, requestHead, endStream));
      assert.deepEqual(await peer.complaints(), [`reset 1: ${code}`]);
      assert.deepEqual(
        peer.events.filter((event) => event.startsWith("1 close")),
        [`1 close ${code}`],
      );
      assert.equal(peer.events.at(-1), "3 end");
      // What comes for a stream that has been reset may have been on its way: it is ignored, but counted.
      peer.send(dataFrame(1, "x", endStream), peer.headers(1, ["a", "b"]), numbersFrame(frameType.rstStream, 1, 8));
      assert.deepEqual(await peer.complaints(), [`reset 1: ${code}`]);
    });
  }

  it("resets a stream with more data than its window, while it is paused", async () => {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, requestHead));
    (peer.streams[0] as Http2Stream).pause();
    const full = dataFrame(1, Buffer.alloc(16_384));
    peer.send(full, full, full, full);
    assert.deepEqual(await peer.complaints(), [`reset 1: ${flowControlError}`]);
    assert.deepEqual(peer.events.slice(2), [`1 close ${flowControlError}`]);
  });

  it("gives back the windows of padding, too", async () => {
    const peer = RawPeer.ready("server", { limits: { connectionWindow: 65_535 } });
    peer.send(peer.headers(1, requestHead));
    for (let at = 0; at < 4; at++) {
      peer.send(dataFrame(1, Buffer.concat([Buffer.of(255), Buffer.alloc(16_383)]), padded));
      peer.send(dataFrame(1, Buffer.alloc(16_384)));
      const given = (await peer.sent()).filter(({ type }) => type === frameType.windowUpdate);
      for (const id of [0, 1]) {
        const bytes = given.filter(({ streamId }) => streamId === id).map(({ payload }) => payload.readUInt32BE(0));
        const total = bytes.reduce((sum, count) => sum + count, 0);
        assert.ok(2 * (32_768 * (at + 1) - total) < 65_535, `${id}: ${total}`);
      }
    }
    assert.deepEqual(await peer.complaints(), []);
  });

  it("takes as much as every stream begins with until the client has taken its smaller window", async () => {
    const peer = RawPeer.ready("server", { limits: { streamWindow: 1000 } });
    const first = dataFrame(1, Buffer.alloc(16_383));
    peer.send(peer.headers(1, requestHead));
    (peer.streams[0] as Http2Stream).pause();
    peer.send(first, first, first, first);
    assert.deepEqual(await peer.complaints(), []);
    peer.send(frame(frameType.settings, 0, "", frameFlag.ack), peer.headers(3, requestHead));
    (peer.streams[1] as Http2Stream).pause();
    peer.send(dataFrame(3, Buffer.alloc(1000)));
    assert.deepEqual(await peer.complaints(), []);
    peer.send(dataFrame(3, Buffer.alloc(1)));
    assert.deepEqual(await peer.complaints(), [`reset 3: ${flowControlError}`]);
  });

  it("ends the connection for padding that is longer than its frame", async () => {
    for (const [payload, code] of [
      [Buffer.of(1), protocolError],
      [Buffer.of(5, 0, 0, 0, 0), protocolError],
      [Buffer.alloc(0), frameSizeError],
    ] as const) {
      const peer = RawPeer.ready("server");
      peer.send(peer.headers(1, requestHead), dataFrame(1, payload, padded));
      assert.deepEqual(await peer.complaints(), [`goaway: ${code}`]);
    }
  });

  it("takes padding that fills its frame", async () => {
    const peer = RawPeer.ready("server");
    peer.send(peer.headers(1, requestHead), dataFrame(1, Buffer.of(4, 0, 0, 0, 0), padded | endStream));
    assert.deepEqual(await peer.complaints(), []);
    assert.deepEqual(peer.events.slice(2), ["1 end"]);
  });

  it("ends the connection of a client that resets streams rapidly", async () => {
    const peer = RawPeer.ready("server");
    for (let id = 1; id < 4001 && !peer.connection.isClosed; id += 2) {
      peer.send(peer.headers(id, requestHead, endStream), numbersFrame(frameType.rstStream, id, errorCode.cancel));
    }
    assert.deepEqual(await peer.complaints(), [`goaway: ${enhanceYourCalm}`]);
  });

  it("ends the connection of a client that has its streams reset rapidly", async () => {
    const peer = RawPeer.ready("server");
    for (let id = 1; id < 4001 && !peer.connection.isClosed; id += 2) {
      peer.send(peer.headers(id, requestHead, endStream), numbersFrame(frameType.windowUpdate, id, 0));
    }
    assert.equal((await peer.complaints()).at(-1), `goaway: ${enhanceYourCalm}`);
  });

  it("decodes fields of which it keeps none, so that those of later streams are understood", async () => {
    const peer = RawPeer.ready("server", { limits: { maxListBytes: 300 } });
    const big = [...requestHead, "a", "x".repeat(400)];
    peer.send(peer.headers(1, big), peer.headers(3, big), peer.headers(5, [...requestHead, "b", "y"], endStream));
    peer.send(peer.headers(7, [...requestHead, "b", "y"], endStream));
    peer.send(peer.headers(9, [...requestHead, "b", "y"], endStream));
    assert.deepEqual(await peer.complaints(), [`reset 1: ${protocolError}`, `reset 3: ${protocolError}`]);
    assert.equal(peer.events.at(-2), `9 request ${[...requestHead, "b", "y"].join(",")} without content`);
  });

  for (const [name, bytes] of [
    ["pings", frame(frameType.ping, 0, "12345678")],
    ["settings", settingsFrame([])],
  ] as const) {
    it(`gives up a peer that sends ${name} and reads no answers`, async () => {
      const peer = RawPeer.ready("server");
      peer.socket.isStalled = true;
      const many = Buffer.concat(Array.from({ length: 1000 }, () => bytes));
      for (let at = 0; at < 1000 && !peer.connection.isClosed; at++) {
        peer.send(many);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.ok(peer.connection.isClosed);
      assert.match(peer.events.at(-1) ?? "", /^lost: the peer does not read/);
      assert.ok(peer.socket.writableLength < 4_000_000, String(peer.socket.writableLength));
    });
  }

  it("ignores frames and settings that it does not know", async () => {
    const peer = RawPeer.ready("server");
    peer.send(frame(99, 0, "x"), frame(99, 77, "x", 255), settingOf(99, 5), frame(frameType.priority, 77, "12345"));
    peer.send(frame(frameType.ping, 0, "12345678", frameFlag.ack));
    assert.deepEqual(await peer.complaints(), []);
    assert.equal(peer.connection.isClosed, false);
  });
});

/** Frames that a server sends on stream 1, and the code of its reset. */
const badResponses: readonly (readonly [string, (peer: RawPeer) => readonly Buffer[]])[] = [
  ["data before its head", () => [dataFrame(1, "x")]],
  ["no status", (peer) => [peer.headers(1, ["a", "b"])]],
  ["a status that is no number", (peer) => [peer.headers(1, [":status", "OK"])]],
  ["a status of four digits", (peer) => [peer.headers(1, [":status", "2000"])]],
  ["two statuses", (peer) => [peer.headers(1, [":status", "200", ":status", "200"])]],
  ["a status after others", (peer) => [peer.headers(1, ["a", "b", ":status", "200"])]],
  ["a pseudo-field of requests", (peer) => [peer.headers(1, [":status", "200", ":path", "/"])]],
  ["a name in upper case", (peer) => [peer.headers(1, [":status", "200", "A", "b"])]],
  ["connection", (peer) => [peer.headers(1, [":status", "200", "connection", "close"])]],
  ["an interim head that ends it", (peer) => [peer.headers(1, [":status", "100"], endStream)]],
  ["a change of protocols", (peer) => [peer.headers(1, [":status", "101"])]],
  ["a second head", (peer) => [peer.headers(1, okHead), peer.headers(1, okHead)]],
  ["two lengths", (peer) => [peer.headers(1, [...okHead, "content-length", "1", "content-length", "2"])]],
  ["an end before its content", (peer) => [peer.headers(1, [...okHead, "content-length", "1"], endStream)]],
  ["content of 204", (peer) => [peer.headers(1, [":status", "204"]), dataFrame(1, "x", endStream)]],
  ["content of 304", (peer) => [peer.headers(1, [":status", "304"]), dataFrame(1, "x", endStream)]],
  ["fields that are too large", (peer) => [peer.headers(1, [...okHead, "a", "x".repeat(9000)])]],
];

describe("a client of HTTP/2", () => {
  for (const [name, send] of badResponses) {
    it(`resets a response with ${name}, and takes the next`, async () => {
      const peer = RawPeer.ready("client");
      peer.request();
      peer.request();
      peer.send(...send(peer), peer.headers(3, okHead, endStream));
      assert.deepEqual(await peer.complaints(), [`reset 1: ${protocolError}`]);
      assert.deepEqual(peer.events.slice(-4), [`1 close ${protocolError}`, "3 head :status,200", "3 end", "3 close 0"]);
    });
  }

  it("takes the length that a response without content announces for what it would be", async () => {
    for (const status of ["204", "304"]) {
      const peer = RawPeer.ready("client");
      peer.request();
      peer.send(peer.headers(1, [":status", status, "content-length", "5"], endStream));
      assert.deepEqual(await peer.complaints(), []);
      assert.deepEqual(peer.events.slice(2), ["1 end", "1 close 0"]);
    }
  });

  it("ends the connection for a stream that a server begins", async () => {
    const peer = RawPeer.ready("client");
    peer.send(peer.headers(2, okHead));
    assert.deepEqual(await peer.complaints(), [`goaway: ${protocolError}`]);
  });

  it("waits for the end of the connection's beginning before it is ready", () => {
    const peer = new RawPeer("client");
    for (const byte of beginning("client")) {
      assert.deepEqual(peer.events, []);
      peer.send(Buffer.of(byte));
    }
    assert.deepEqual(peer.events, ["ready"]);
  });
});
