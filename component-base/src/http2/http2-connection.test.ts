import assert from "node:assert/strict";
import { once } from "node:events";
import {
  type ClientHttp2Session,
  connect as connectNode,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type Settings,
} from "node:http2";
import { type AddressInfo, connect, createServer as createPlainServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { issueCertificate } from "../pki/index.js";
import { type ConnectionLimits, Http2Connection, type Serving } from "./http2-connection.js";
import { errorCode } from "./http2-error.js";
import type { Http2Stream, StreamReceiver } from "./http2-stream.js";
import { fieldValue } from "./message-rules.js";
import { requestHead } from "./raw-peer.test.support.js";

const limits: ConnectionLimits = { streamWindow: 100_000, connectionWindow: 300_000, maxListBytes: 65_536 };
const postHead = [":method", "POST", ...requestHead.slice(2)];

/** Record of what one stream of our side has been told. Fails if it is told anything after its end, or the end twice. */
class Taken implements StreamReceiver {
  readonly heads: string[][] = [];
  readonly pieces: Buffer[] = [];
  bytes = 0;
  trailers: readonly string[] | undefined;
  hasEnded = false;
  /** The code of the end, once it has come. */
  readonly closed: Promise<number>;
  code: number | undefined;
  #settle: (code: number) => void = () => {};
  /** Called after each piece of data. */
  onPiece: (bytes: number) => void = () => {};
  onFirstHead: () => void = () => {};

  constructor() {
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get body(): Buffer {
    return Buffer.concat(this.pieces);
  }

  onHead(fields: readonly string[]): void {
    this.#isOpen();
    this.heads.push([...fields]);
    this.onFirstHead();
  }

  onData(bytes: Buffer): void {
    this.#isOpen();
    this.pieces.push(Buffer.from(bytes));
    this.bytes += bytes.length;
    this.onPiece(bytes.length);
  }

  onTrailers(fields: readonly string[]): void {
    this.#isOpen();
    this.trailers = fields;
  }

  onEnd(): void {
    this.#isOpen();
    this.hasEnded = true;
  }

  onClose(code: number): void {
    assert.equal(this.code, undefined, "a stream is closed twice");
    this.code = code;
    this.#settle(code);
  }

  #isOpen(): void {
    assert.ok(this.code === undefined && !this.hasEnded, "a stream is told something after its end");
  }
}

/** A connection of ours, as a client, and the reason of its end. */
class OurClient {
  readonly connection: Http2Connection;
  readonly closed: Promise<Error | undefined>;
  readonly ready: Promise<void>;
  goaways: number[] = [];

  constructor(socket: Socket) {
    let close: (error: Error | undefined) => void = () => {};
    let begin: () => void = () => {};
    let closes = 0;
    this.closed = new Promise((resolve) => {
      close = resolve;
    });
    this.ready = new Promise((resolve) => {
      begin = resolve;
    });
    this.connection = new Http2Connection(socket, {
      limits,
      listener: {
        onReady: () => begin(),
        onGoaway: (last) => this.goaways.push(last),
        onClose: (error) => {
          assert.equal(++closes, 1, "a connection is closed twice");
          close(error);
        },
      },
    });
  }

  ask(fields: readonly string[] = requestHead, isEnd = true): { stream: Http2Stream; taken: Taken } {
    const taken = new Taken();
    return { stream: this.connection.request(fields, isEnd, taken), taken };
  }
}

type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** Use of a client of ours, its peer's session, and what cuts the connection between them. */
type UseOfClient = (client: OurClient, session: ServerHttp2Session, cut: () => void) => Promise<void>;

/** Runs `use` with a client of ours at a server of Node's that answers so. */
async function withServer(
  { server, open }: { readonly server: Http2Server | Http2SecureServer; readonly open: (port: number) => Socket },
  answer: Answer,
  use: UseOfClient,
): Promise<void> {
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on("error", () => {});
    answer(stream, headers);
  });
  const session = once(server, "session") as Promise<[ServerHttp2Session]>;
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  const client = new OurClient(open(await listening(server)));
  const [theirs] = await session;
  theirs.on("error", () => {});
  try {
    await client.ready;
    await use(client, theirs, () => sockets[0]?.destroy());
  } finally {
    client.connection.destroy();
    theirs.destroy();
    server.close();
  }
}

function withNodeServer(answer: Answer, use: UseOfClient, settings: Settings = {}): Promise<void> {
  return withServer({ server: createServer({ settings }), open: (port) => connect(port, "127.0.0.1") }, answer, use);
}

/** The serving side of a connection. */
interface Served {
  readonly connection: () => Http2Connection;
  /** The reason of its end. */
  readonly closed: Promise<unknown>;
  readonly cut: () => void;
}

type Accept = (stream: Http2Stream, fields: readonly string[]) => Taken;

/** Runs `use` with a client of Node's at a server of ours that accepts so. */
async function withNodeClient(
  accept: Accept,
  use: (client: ClientHttp2Session, served: Served) => Promise<void>,
): Promise<void> {
  let ours: Http2Connection | undefined;
  let close: (error: unknown) => void = () => {};
  const closed = new Promise((resolve) => {
    close = resolve;
  });
  const serving: Serving = {
    maxStreams: 250,
    maxPendingBytes: 100_000_000,
    accept,
  };
  const server = createPlainServer((socket) => {
    ours = new Http2Connection(socket, { limits, serving, listener: { onClose: close } });
  });
  const port = await listening(server);
  const socket = connect(port, "127.0.0.1");
  // The memory is for 200 streams at a time.
  const client = connectNode("http://test", { maxSessionMemory: 1000, createConnection: () => socket });
  client.on("error", () => {});
  try {
    await once(client, "remoteSettings");
    await use(client, { connection: () => ours as Http2Connection, closed, cut: () => socket.destroy() });
  } finally {
    client.destroy();
    ours?.destroy();
    server.close();
  }
}

async function listening(server: Server | Http2Server | Http2SecureServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Answers with the bytes of the request, piece by piece as they come, and trailers. */
const echoOfNode: Answer = (stream) => {
  stream.respond({ ":status": 200 }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "x-trailer": "last" }));
  stream.pipe(stream);
};

/** Answers as `echoOfNode` does, and reads no more than it can send. */
const echoOfOurs: Accept = (stream) => {
  const taken = new Taken();
  stream.respond([":status", "200"], false);
  taken.onPiece = () => {
    stream.write(taken.pieces.at(-1) as Buffer);
    if (stream.pendingBytes > 50_000 && !stream.isPaused) {
      stream.pause();
      stream.whenDrained(() => stream.resume());
    }
  };
  const onEnd = taken.onEnd.bind(taken);
  taken.onEnd = () => {
    onEnd();
    stream.end(undefined, ["x-trailer", "last"]);
  };
  return taken;
};

/** Bytes that tell when a piece is lost or moved. */
function bytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) {
    bytes[at] = (at * 7 + (at >> 8) * 13 + (at >> 16) * 31) & 0xff;
  }
  return bytes;
}

const sizes = [0, 1, 16_384, 16_385, 65_535, 65_536, 99_999, 300_001, 5_000_000];

describe("a client of HTTP/2 at a server of another implementation", () => {
  it("brings bodies of any size across and back, with trailers", async () => {
    await withNodeServer(echoOfNode, async (client) => {
      for (const size of sizes) {
        const body = bytesOf(size);
        const { stream, taken } = client.ask(postHead, false);
        stream.end(body);
        assert.equal(await taken.closed, errorCode.noError);
        assert.ok(taken.hasEnded && taken.body.equals(body), `${size} bytes`);
        assert.deepEqual(taken.trailers, ["x-trailer", "last"]);
        assert.equal(fieldValue(taken.heads[0] ?? [], ":status"), "200");
      }
      assert.equal(client.connection.openStreams, 0);
    });
  });

  it("brings a body across TLS and back", async () => {
    const validity = { notBefore: new Date(Date.now() - 3_600_000), notAfter: new Date(Date.now() + 3_600_000) };
    const authority = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
    const certificate = await issueCertificate({
      subject: { kind: "server", commonName: "s", dnsNames: ["localhost"], ipAddresses: [] },
      issuer: authority,
      ...validity,
    });
    const server = createSecureServer({ cert: certificate.certificatePem, key: certificate.keyPem });
    const open = (port: number): Socket =>
      connectTls({
        ...{ port, host: "127.0.0.1", servername: "localhost" },
        ...{ ALPNProtocols: ["h2"], ca: authority.certificatePem },
      });
    await withServer({ server, open }, echoOfNode, async (client) => {
      const body = bytesOf(1_000_000);
      const { stream, taken } = client.ask(postHead, false);
      stream.end(body);
      assert.equal(await taken.closed, errorCode.noError);
      assert.ok(taken.body.equals(body));
    });
  });

  it("sends trailers after its data", async () => {
    let seen: IncomingHttpHeaders = {};
    const answer: Answer = (stream) => {
      stream.on("trailers", (fields) => {
        seen = fields;
      });
      stream.resume();
      stream.on("end", () => stream.respond({ ":status": 204 }, { endStream: true }));
    };
    await withNodeServer(answer, async (client) => {
      for (const body of [Buffer.alloc(0), bytesOf(200_000)]) {
        const { stream, taken } = client.ask(postHead, false);
        stream.end(body, ["x-sum", String(body.length)]);
        assert.equal(await taken.closed, errorCode.noError);
        assert.equal(seen["x-sum"], String(body.length));
      }
    });
  });

  it("carries 200 streams side by side, those of slow readers among them", async () => {
    await withNodeServer(
      echoOfNode,
      async (client) => {
        const asked = Array.from({ length: 200 }, (_, at) => {
          const body = bytesOf(at * 1000);
          const { stream, taken } = client.ask([...postHead, "x-number", String(at)], false);
          if (at % 3 === 0) {
            // Reads one piece a round.
            taken.onPiece = () => {
              stream.pause();
              setImmediate(() => stream.resume());
            };
          }
          stream.end(body);
          return { taken, body };
        });
        for (const { taken, body } of asked) {
          assert.equal(await taken.closed, errorCode.noError);
          assert.ok(taken.body.equals(body));
        }
      },
      { maxConcurrentStreams: 200 },
    );
  });

  it("keeps a paused stream within its window, and lets others go on", async () => {
    const body = bytesOf(1_000_000);
    const answer: Answer = (stream) => {
      stream.respond({ ":status": 200 });
      stream.end(body);
    };
    await withNodeServer(answer, async (client) => {
      const paused = client.ask();
      paused.stream.pause();
      const other = client.ask();
      assert.equal(await other.taken.closed, errorCode.noError);
      assert.equal(paused.taken.bytes, 0);
      assert.ok(paused.stream.receiveWindow >= 0);
      paused.stream.resume();
      assert.equal(await paused.taken.closed, errorCode.noError);
      assert.ok(paused.taken.body.equals(body));
    });
  });

  it("obeys a window that changes amidst a body", async () => {
    const answer: Answer = (stream) => {
      stream.respond({ ":status": 200 });
      stream.once("data", () => {
        stream.session?.settings({ initialWindowSize: 10 }, () => {
          stream.session?.settings({ initialWindowSize: 1_000_000 });
        });
      });
      stream.pipe(stream);
    };
    await withNodeServer(
      answer,
      async (client) => {
        const body = bytesOf(500_000);
        const { stream, taken } = client.ask(postHead, false);
        stream.end(body);
        assert.equal(await taken.closed, errorCode.noError);
        assert.ok(taken.body.equals(body));
      },
      { initialWindowSize: 1000 },
    );
  });

  it("keeps to the table of fields that the server has room for, and cuts large heads into frames", async () => {
    for (const headerTableSize of [0, 100, 4096, 100_000]) {
      const answer: Answer = (stream, headers) => {
        stream.respond(
          { ":status": 200, "x-back": headers["x-long"] ?? "", "x-short": headers["x-short"] },
          { endStream: true },
        );
      };
      await withNodeServer(
        answer,
        async (client) => {
          const long = "0123456789".repeat(4000);
          for (let time = 0; time < 5; time++) {
            const fields = ["x-short", "same", "x-number", String(time), ...(time % 2 === 1 ? ["x-long", long] : [])];
            const { taken } = client.ask([...requestHead, ...fields]);
            assert.equal(await taken.closed, errorCode.noError);
            const head = taken.heads[0] ?? [];
            assert.equal(fieldValue(head, "x-back"), time % 2 === 1 ? long : "");
            assert.equal(fieldValue(head, "x-short"), "same");
          }
        },
        { headerTableSize },
      );
    }
  });

  it("skips interim heads, and takes the length of a response to HEAD for none of its own", async () => {
    const answer: Answer = (stream, headers) => {
      stream.additionalHeaders({ ":status": 103, link: "x" });
      stream.respond({ ":status": 200, "content-length": "10" }, { endStream: headers[":method"] === "HEAD" });
      stream.end(headers[":method"] === "HEAD" ? undefined : "0123456789");
    };
    await withNodeServer(answer, async (client) => {
      for (const [method, bytes] of [
        ["HEAD", 0],
        ["GET", 10],
      ] as const) {
        const { taken } = client.ask([":method", method, ...requestHead.slice(2)]);
        assert.equal(await taken.closed, errorCode.noError);
        assert.deepEqual([taken.heads.length, taken.bytes], [1, bytes]);
        assert.equal(fieldValue(taken.heads[0] ?? [], "content-length"), "10");
      }
    });
  });

  it("resets a stream, and is told of resets by the server", async () => {
    const codes: number[] = [];
    let told = (): void => {};
    const isTold = new Promise<void>((resolve) => {
      told = resolve;
    });
    const answer: Answer = (stream, headers) => {
      if (headers["x-reset"] !== undefined) {
        stream.close(Number(headers["x-reset"]));
        return;
      }
      stream.on("close", () => {
        codes.push(stream.rstCode ?? -1);
        told();
      });
      stream.respond({ ":status": 200 });
      stream.write("first");
    };
    await withNodeServer(answer, async (client) => {
      const ours = client.ask();
      ours.taken.onPiece = () => ours.stream.reset(errorCode.cancel);
      assert.equal(await ours.taken.closed, errorCode.cancel);
      await isTold;
      assert.deepEqual(codes, [errorCode.cancel]);
      const theirs = client.ask([...requestHead, "x-reset", String(errorCode.refusedStream)]);
      assert.equal(await theirs.taken.closed, errorCode.refusedStream);
      assert.equal(theirs.taken.hasEnded, false);
    });
  });

  it("is answered to its pings, and answers those of the server", async () => {
    await withNodeServer(echoOfNode, async (client, session) => {
      await new Promise<void>((resolve) => client.connection.ping(resolve));
      await new Promise<void>((resolve, reject) => {
        session.ping(Buffer.from("12345678"), (error, _, payload) =>
          error === null && String(payload) === "12345678" ? resolve() : reject(error ?? new Error("another payload")),
        );
      });
    });
  });

  it("finishes its streams after the server has said that it goes away, and begins no more", async () => {
    const waiting: ServerHttp2Stream[] = [];
    const answer: Answer = (stream) => {
      waiting.push(stream);
      stream.respond({ ":status": 200 });
      stream.write("first");
    };
    await withNodeServer(answer, async (client, session) => {
      const { taken } = client.ask();
      await new Promise<void>((resolve) => {
        taken.onPiece = () => resolve();
      });
      taken.onPiece = () => {};
      session.close();
      await new Promise<void>((resolve) => client.connection.ping(resolve));
      assert.deepEqual(client.goaways.length, 1);
      assert.throws(() => client.ask(), /takes no more requests/);
      waiting[0]?.end("last");
      assert.equal(await taken.closed, errorCode.noError);
      assert.equal(String(taken.body), "firstlast");
      assert.equal(await client.closed, undefined);
    });
  });

  it("closes streams that the server has not looked at as refused", async () => {
    const answer: Answer = (stream) => stream.session?.goaway(errorCode.noError, 1);
    await withNodeServer(answer, async (client) => {
      const first = client.ask();
      const second = client.ask();
      assert.equal(await second.taken.closed, errorCode.refusedStream);
      assert.equal(first.taken.code, undefined);
    });
  });

  it("closes all streams once when the connection is cut amidst their bodies", async () => {
    const answer: Answer = (stream) => {
      stream.respond({ ":status": 200 });
      stream.write("first");
    };
    await withNodeServer(answer, async (client, _, cut) => {
      const asked = Array.from({ length: 5 }, () => client.ask(postHead, false));
      const last = asked.at(-1)?.taken as Taken;
      await new Promise<void>((resolve) => {
        last.onPiece = () => resolve();
      });
      cut();
      for (const { taken } of asked) {
        assert.equal(await taken.closed, errorCode.internalError);
        assert.equal(taken.hasEnded, false);
      }
      assert.ok((await client.closed) instanceof Error);
      assert.equal(client.connection.openStreams, 0);
    });
  });

  it("closes its streams once when it is destroyed by one of them", async () => {
    await withNodeServer(echoOfNode, async (client) => {
      const asked = Array.from({ length: 5 }, () => client.ask(postHead, false));
      (asked[2]?.taken as Taken).onFirstHead = () => client.connection.destroy();
      for (const { taken } of asked) {
        assert.equal(await taken.closed, errorCode.internalError);
      }
      assert.equal(await client.closed, undefined);
    });
  });
});

describe("a server of HTTP/2 with a client of another implementation", () => {
  it("brings bodies of any size across and back, with trailers", async () => {
    await withNodeClient(echoOfOurs, async (client) => {
      for (const size of sizes) {
        const body = bytesOf(size);
        const request = client.request({ ":method": "POST", ":path": "/" });
        let trailers: IncomingHttpHeaders = {};
        request.on("trailers", (fields) => {
          trailers = fields;
        });
        request.end(body);
        const answer = Buffer.concat(await request.toArray());
        assert.ok(answer.equals(body), `${size} bytes`);
        assert.equal(trailers["x-trailer"], "last");
      }
    });
  });

  it("carries 200 streams side by side", async () => {
    await withNodeClient(echoOfOurs, async (client, { connection }) => {
      const asked = Array.from({ length: 200 }, async (_, at) => {
        const body = bytesOf(at * 1000);
        const request = client.request({ ":method": "POST", ":path": "/", "x-number": String(at) });
        request.end(body);
        assert.ok(Buffer.concat(await request.toArray()).equals(body), String(at));
      });
      await Promise.all(asked);
      assert.equal(connection().openStreams, 0);
    });
  });

  it("waits for a client that reads slowly", async () => {
    const body = bytesOf(1_000_000);
    let drained = 0;
    const accept: Accept = (stream) => {
      stream.respond([":status", "200"], false);
      stream.end(body);
      stream.whenDrained(() => drained++);
      return new Taken();
    };
    await withNodeClient(accept, async (client) => {
      const request = client.request({ ":path": "/" });
      await once(request, "response");
      await new Promise<void>((resolve) => client.ping(() => resolve()));
      assert.equal(drained, 0);
      assert.ok(Buffer.concat(await request.toArray()).equals(body));
      assert.equal(drained, 1);
    });
  });

  it("is told of a client's reset, and can reset itself", async () => {
    const accepted: Taken[] = [];
    const accept: Accept = (stream, fields) => {
      const taken = new Taken();
      accepted.push(taken);
      if (fieldValue(fields, "x-reset") === undefined) {
        stream.respond([":status", "200"], false);
        stream.write(Buffer.from("first"));
      } else {
        stream.reset(errorCode.enhanceYourCalm);
      }
      return taken;
    };
    await withNodeClient(accept, async (client) => {
      const cancelled = client.request({ ":path": "/" });
      await once(cancelled, "response");
      cancelled.close(errorCode.cancel);
      assert.equal(await accepted[0]?.closed, errorCode.cancel);
      const refused = client.request({ ":path": "/", "x-reset": "1" });
      const [error] = (await once(refused, "error", {})) as [Error];
      assert.match(error.message, /ENHANCE_YOUR_CALM/);
      assert.equal(await accepted[1]?.closed, errorCode.enhanceYourCalm);
    });
  });

  it("finishes what is under way when it is closed, and takes no more", async () => {
    let finish = (): void => {};
    const accept: Accept = (stream) => {
      stream.respond([":status", "200"], false);
      finish = () => stream.end(bytesOf(2_000_000));
      return new Taken();
    };
    await withNodeClient(accept, async (client, { connection, closed }) => {
      const request = client.request({ ":path": "/" });
      await once(request, "response");
      connection().close();
      await once(client, "goaway");
      finish();
      assert.ok(Buffer.concat(await request.toArray()).equals(bytesOf(2_000_000)));
      assert.equal(await closed, undefined);
    });
  });

  it("closes streams once when the client is gone", async () => {
    const accepted: Taken[] = [];
    const accept: Accept = (stream) => {
      const taken = new Taken();
      accepted.push(taken);
      stream.respond([":status", "200"], false);
      return taken;
    };
    await withNodeClient(accept, async (client, { closed, cut }) => {
      const requests = Array.from({ length: 5 }, () => client.request({ ":method": "POST", ":path": "/" }));
      for (const request of requests) {
        request.on("error", () => {});
        await once(request, "response");
      }
      cut();
      assert.ok((await closed) instanceof Error);
      for (const taken of accepted) {
        assert.equal(await taken.closed, errorCode.internalError);
      }
    });
  });

  it("refuses to be made with a window smaller than HTTP/2 has", () => {
    const socket = connect(1, "127.0.0.1").on("error", () => {});
    const parts = { limits: { ...limits, connectionWindow: 65_534 }, listener: { onClose() {} } };
    assert.throws(() => new Http2Connection(socket, parts), TypeError);
    socket.destroy();
  });
});
