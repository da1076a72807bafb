import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { constants, inflateSync } from "node:zlib";
import fc from "fast-check";
import { headerDictionary } from "./dictionary.js";
import { FrameDecoder } from "./frame-decoder.js";
import { controlFrame, controlType, dataFrameHeader } from "./frames.js";
import { decodeHeaderBlock, encodeHeaderBlock } from "./header-block.js";
import { HeaderCompressor, HeaderDecompressor } from "./header-compression.js";
import { SpdyConnection, type SpdyConnectionOptions, type SpdyStream, SpdyStreamClosedError } from "./index.js";

const headersOf = (streamType: string): Map<string, string> => new Map([["streamtype", streamType]]);

/** Both ends of a TCP connection. */
async function socketPair(): Promise<[Socket, Socket]> {
  const listener = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const near = connectSocket({ port: (listener.address() as AddressInfo).port, allowHalfOpen: true });
  const [[far]] = (await Promise.all([once(listener, "connection"), once(near, "connect")])) as [[Socket], unknown];
  listener.close();
  return [near, far];
}

/** Two connections with each other; `onStream` takes the streams that the client opens. */
async function connect(
  onStream: (stream: SpdyStream) => void,
  options: Partial<SpdyConnectionOptions> = {},
): Promise<{ client: SpdyConnection; server: SpdyConnection }> {
  const [near, far] = await socketPair();
  return {
    client: new SpdyConnection(near, { role: "client" }),
    server: new SpdyConnection(far, { role: "server", onStream, ...options }),
  };
}

/** A server connection whose peer writes bytes by hand. */
async function serve(
  onStream: (stream: SpdyStream) => void = () => {},
): Promise<{ peer: Socket; server: SpdyConnection }> {
  const [peer, far] = await socketPair();
  peer.resume();
  return { peer, server: new SpdyConnection(far, { role: "server", onStream, closeTimeoutMs: 1000 }) };
}

/** The bytes of a SYN_STREAM frame that is the first of its connection. */
function synStream(id: number, block = encodeHeaderBlock(headersOf("data"))): Buffer {
  return controlFrame(controlType.synStream, 0, id, 0, Buffer.alloc(2), new HeaderCompressor().compress(block));
}

describe("header blocks", () => {
  test("are compressed as one zlib stream with the dictionary of SPDY/3", () => {
    const compressor = new HeaderCompressor();
    const blocks = ["error", "stdin", "stdout"].map((type) => encodeHeaderBlock(headersOf(type)));
    const compressed = Buffer.concat(blocks.map((block) => compressor.compress(block)));
    const inflated = inflateSync(compressed, {
      dictionary: headerDictionary,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    assert.deepEqual(inflated, Buffer.concat(blocks));
  });

  test("are decompressed one after the other, far beyond the window of zlib", () => {
    const compressor = new HeaderCompressor();
    const decompressor = new HeaderDecompressor();
    for (let index = 0; index < 200; index++) {
      const headers = new Map([
        ["requestid", String(index)],
        ["filling", "x".repeat(index * 7)],
      ]);
      const block = decompressor.decompress(compressor.compress(encodeHeaderBlock(headers)));
      assert.deepEqual(decodeHeaderBlock(block), headers);
    }
  });

  test("of spdystream, the implementation in Go that peers use, are read", () => {
    // Two SYN_STREAM, DATA with FIN, RST_STREAM, PING and GOAWAY as spdystream v0.2.0 writes them.
    const recorded =
      "gAMAAQAAAD4AAAABAAAAAAAAePnjxqfCAiU6cDorKUpNzIUWJaypoICGFMtF4BxgYWBhwMDAwFkEicZMUPJmNAAAAAD//4ADAAEAAAAcAAAAAwAAAAAA" +
      "AIJqxhRFNQ5UMiWimwYAAAD//wAAAAMBAAAFcGluZwqAAwADAAAACAAAAAEAAAAFgAMABgAAAAQAAAABgAMABwAAAAgAAAAAAAAAAA==";
    const frames = [...new FrameDecoder().decode(Buffer.from(recorded, "base64"))];
    const headers = (streamtype: string): Map<string, string> =>
      new Map(Object.entries({ streamtype, port: "8080", requestid: "0" }));
    assert.deepEqual(
      frames.map((frame) => ("headers" in frame ? { ...frame, headers: new Map([...frame.headers].sort()) } : frame)),
      [
        { type: "syn-stream", streamId: 1, fin: false, headers: new Map([...headers("error")].sort()) },
        { type: "syn-stream", streamId: 3, fin: false, headers: new Map([...headers("data")].sort()) },
        { type: "data", streamId: 3, data: Buffer.from("ping\n"), fin: true },
        { type: "rst-stream", streamId: 1, status: 5 },
        { type: "ping", id: 1 },
        { type: "go-away", status: 0 },
      ],
    );
  });
});

describe("a connection", () => {
  test("carries streams of both directions, whose ends are separate", async () => {
    const { client, server } = await connect((stream) => {
      // The answer is written after the other direction has ended.
      void text(stream).then((question) => stream.end(`${stream.headers.get("streamtype")} got ${question}`));
    });
    const streams = await Promise.all(["one", "two"].map((type) => client.open(headersOf(type))));
    for (const stream of streams) {
      stream.end("a question");
    }
    assert.deepEqual(await Promise.all(streams.map((stream) => text(stream))), [
      "one got a question",
      "two got a question",
    ]);
    await Promise.all([client.close(), server.ended]);
    assert.equal(await server.ended, undefined);
  });

  test("opens streams that are ended on this side at once", async () => {
    const { client } = await connect((stream) => void text(stream).then((given) => stream.end(`"${given}"`)));
    assert.equal(await text(await client.open(headersOf("error"), { end: true })), '""');
    await client.close();
  });

  test("answers pings", async () => {
    const { client, server } = await connect(() => {});
    await Promise.all([client.ping(), server.ping(), client.ping()]);
    await client.close();
    await assert.rejects(client.ping(), SpdyStreamClosedError);
  });

  test("makes a writer wait for a reader that is slow, and loses nothing", async () => {
    let reader: SpdyStream | undefined;
    const { client } = await connect(
      (stream) => {
        reader = stream;
      },
      { maxUnreadBytes: 256 * 1024 },
    );
    const stream = await client.open(headersOf("stdin"));
    const piece = Buffer.alloc(32 * 1024, "x");
    let accepted = 0;
    const total = 2000;
    const write = (): void => {
      if (accepted < total) {
        stream.write(piece, () => {
          accepted++;
          write();
        });
      } else {
        stream.end();
      }
    };
    write();
    // The writer stops when the buffers of both sides are full: those of the sockets have some megabytes.
    let before = -1;
    while (before !== accepted) {
      before = accepted;
      await wait(50);
    }
    assert.ok(accepted < total / 2, `${accepted} of ${total} pieces were accepted`);
    assert.ok(reader !== undefined);
    assert.equal((await buffer(reader)).length, total * piece.length);
    assert.equal(accepted, total);
    await client.close();
  });

  test("lets a stream that the peer has reset be read to its end, and fails writing to it", async () => {
    const { client } = await connect((stream) => {
      stream.write("last words", () => stream.destroy());
    });
    const stream = await client.open(headersOf("data"));
    assert.equal(await text(stream), "last words");
    const { client: other } = await connect((reset) => setImmediate(() => reset.destroy()));
    const written = await other.open(headersOf("data"));
    await new Promise((resolve) => written.once("close", resolve).resume());
    await new Promise<void>((resolve) => {
      written.write("too late", (error) => {
        assert.ok(error instanceof Error);
        resolve();
      });
    });
    await Promise.all([client.close(), other.close()]);
  });

  test("refuses streams beyond the number that may be open", async () => {
    const { client } = await connect(() => {}, { maxStreams: 2 });
    await Promise.all([client.open(headersOf("a")), client.open(headersOf("b"))]);
    await assert.rejects(client.open(headersOf("c")), /the peer has reset stream 5 \(status 3\)/);
    await client.close();
  });

  test("tells its streams and its callers when it is lost", async () => {
    const { client, server } = await connect((stream) => {
      stream.write("half an answer", () => server.destroy());
    });
    const stream = await client.open(headersOf("stdout"));
    assert.equal(await text(stream), "half an answer");
    await client.ended;
    assert.ok(client.signal.aborted);
    await assert.rejects(client.open(headersOf("stdin")), SpdyStreamClosedError);
  });
});

/** Bytes that no peer may send, and what is said about them. */
const lies: readonly { readonly name: string; readonly bytes: () => Buffer; readonly says: RegExp }[] = [
  {
    name: "a control frame of another version",
    bytes: () => Buffer.from("8002000600000004 00000001".replace(" ", ""), "hex"),
    says: /a control frame has version 2, not 3/,
  },
  {
    name: "a control frame of an unknown type",
    bytes: () => controlFrame(77, 0, 1),
    says: /there is no control frame of type 77/,
  },
  {
    name: "a control frame that is too long",
    bytes: () => Buffer.from("8003000100ffffff", "hex"),
    says: /a control frame of 16777215 bytes is longer than 65536/,
  },
  {
    name: "a frame whose length does not fit its type",
    bytes: () => controlFrame(controlType.rstStream, 0, 1),
    says: /a RST_STREAM frame has 4 bytes, not 8/,
  },
  {
    name: "settings that are fewer than they say",
    bytes: () => controlFrame(controlType.settings, 0, 1000),
    says: /a SETTINGS frame has 4 bytes, not 8004/,
  },
  {
    name: "header blocks without zlib",
    bytes: () => controlFrame(controlType.synStream, 0, 1, 0, Buffer.alloc(2), Buffer.from("hello there")),
    says: /does not begin with a zlib header/,
  },
  {
    name: "header blocks that zlib cannot read",
    bytes: () => {
      const frame = synStream(1);
      return Buffer.concat([frame.subarray(0, 24), Buffer.alloc(frame.length - 24, 0xff)]);
    },
    says: /a header block cannot be decompressed/,
  },
  {
    name: "header blocks that become huge",
    bytes: () => synStream(1, Buffer.alloc(10_000_000)),
    says: /a header block is larger than 65536 bytes/,
  },
  {
    name: "a header that is longer than its block",
    bytes: () => synStream(1, Buffer.from("0000000100ffffff61", "hex")),
    says: /a header of 16777215 bytes does not fit into its block/,
  },
  {
    name: "a stream of the server's numbers",
    bytes: () => synStream(2),
    says: /must not open stream 2/,
  },
  { name: "stream 0", bytes: () => synStream(0), says: /a control frame of a stream names none/ },
  {
    name: "data of a stream that was never opened",
    bytes: () => Buffer.concat([dataFrameHeader(7, 1, false), Buffer.from("x")]),
    says: /a frame names stream 7, which was never opened/,
  },
  {
    name: "a reply that nobody waits for",
    bytes: () =>
      controlFrame(controlType.synReply, 0, 1, new HeaderCompressor().compress(encodeHeaderBlock(new Map()))),
    says: /a reply came to stream 1, which waits for none/,
  },
];

describe("a peer that lies ends its connection:", () => {
  for (const { name, bytes, says } of lies) {
    test(name, async () => {
      const { peer, server } = await serve();
      peer.write(bytes());
      peer.on("end", () => peer.end());
      assert.match(String(await server.ended), says);
    });
  }

  test("an end within a frame", async () => {
    const { peer, server } = await serve();
    peer.end(synStream(1).subarray(0, 15));
    assert.match(String(await server.ended), /the connection ended within a frame/);
  });

  test("streams in the wrong order", async () => {
    const { peer, server } = await serve();
    const compressor = new HeaderCompressor();
    for (const id of [3, 1]) {
      const block = compressor.compress(encodeHeaderBlock(headersOf("data")));
      peer.write(controlFrame(controlType.synStream, 0, id, 0, Buffer.alloc(2), block));
    }
    assert.match(String(await server.ended), /the peer must not open stream 1 after stream 3/);
  });

  test("any change of the bytes of a session ends in an orderly way, or changes nothing", async () => {
    const session = Buffer.concat([
      synStream(1),
      dataFrameHeader(1, 5, false),
      Buffer.from("hello"),
      controlFrame(controlType.ping, 0, 1),
      controlFrame(controlType.settings, 0, 1, 4, 65536),
      dataFrameHeader(1, 0, true),
      controlFrame(controlType.goAway, 0, 0, 0),
    ]);
    const edits = fc.array(fc.tuple(fc.nat(session.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(edits, fc.nat(session.length), async (changes, cut) => {
        const bytes = Buffer.from(session);
        for (const [at, value] of changes) {
          bytes[at] = value;
        }
        const { peer, server } = await serve((stream) => stream.resume().end("answer"));
        peer.on("end", () => peer.end());
        // In two pieces, since frames may arrive in any.
        peer.write(bytes.subarray(0, cut));
        peer.end(bytes.subarray(cut));
        await server.ended;
      }),
      { numRuns: 300 },
    );
  });
});
