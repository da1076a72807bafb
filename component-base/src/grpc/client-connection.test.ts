import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { GrpcCallError } from "./call-error.js";
import { GrpcConnection, type GrpcConnectionOptions } from "./client-connection.js";
import { compileProto } from "./compile-proto.js";
import { grpcCode } from "./grpc-status.js";
import { frameMessage } from "./message-frames.js";
import type { Methods } from "./method.js";

const text = `
syntax = "proto3"; package test;
message Note { bytes value = 1; }
service Echo { rpc Say(Note) returns (Note); rpc Talk(stream Note) returns (stream Note); }
`;

interface Note {
  readonly value: Buffer;
}

type EchoService = Methods<{ Say: [Note, Note]; Talk: [Note, Note] }>;
type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

const patient = { deadlineMs: 60_000 };
const okHeaders = { ":status": 200, "content-type": "application/grpc" };

/** A server of HTTP/2 that answers each call as the test says. */
class ScriptedServer implements AsyncDisposable {
  readonly #server = createServer();
  readonly sessions: ServerHttp2Session[] = [];
  answer: Answer = echo;

  async start(): Promise<this> {
    this.#server.on("session", (session) => this.sessions.push(session));
    this.#server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      this.answer(stream, headers);
    });
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  async connect(options: Partial<GrpcConnectionOptions> = {}): Promise<GrpcConnection> {
    const connection = new GrpcConnection({ address: addressOf(this.#server), ...options });
    await connection.waitForReady(60_000);
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.sessions) {
      session.destroy();
    }
    this.#server.close();
    await once(this.#server, "close");
  }
}

function addressOf(server: Pick<Server, "address">): { readonly host: string; readonly port: number } {
  return { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
}

/** Sends every byte back. */
function echo(stream: ServerHttp2Stream): void {
  stream.respond(okHeaders, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.pipe(stream);
}

/** Returns an answer with these bytes of a body, and a status at the end. */
function answering(body: Buffer, trailers: Record<string, string> = { "grpc-status": "0" }): Answer {
  return (stream) => {
    stream.respond(okHeaders, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    stream.end(body);
  };
}

async function failureOf(call: Promise<unknown>): Promise<GrpcCallError> {
  const error = await call.then(
    () => assert.fail("the call has an answer"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GrpcCallError, String(error));
  return error;
}

describe("a connection of gRPC", () => {
  let api: EchoService;
  let server: ScriptedServer;
  let connection: GrpcConnection;
  const say = (value = "x", through = connection): Promise<Note> =>
    through.call(api.Say, { value: Buffer.from(value) }, patient);

  before(async () => {
    api = (await compileProto(text)).service<EchoService>("test.Echo");
    server = await new ScriptedServer().start();
    connection = await server.connect({ maxMessageBytes: 4_000_000, headers: { hasleader: "true" } });
  });

  after(async () => {
    connection[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  it("brings a request and its answer across, be they larger than the windows", async () => {
    server.answer = echo;
    for (const value of ["", "a", "b".repeat(3_000_000)]) {
      assert.equal(String((await say(value)).value), value);
    }
  });

  it("puts an answer together that comes byte by byte", async () => {
    server.answer = (stream) => {
      stream.respond(okHeaders, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      for (const byte of frameMessage(api.Say.responseSerialize({ value: Buffer.from("pieces") }))) {
        stream.write(Buffer.of(byte));
      }
      stream.end();
    };
    assert.equal(String((await say()).value), "pieces");
  });

  it("sends the headers of gRPC, those of the connection, and the time that is left", async () => {
    let seen: IncomingHttpHeaders = {};
    server.answer = (stream, headers) => {
      seen = headers;
      echo(stream);
    };
    await connection.call(api.Say, {}, { deadlineMs: 59_999.5 });
    const { ":method": method, ":path": path, "content-type": type, te, "grpc-timeout": timeout, hasleader } = seen;
    assert.deepEqual(
      [method, path, type, te, timeout, hasleader],
      ["POST", "/test.Echo/Say", "application/grpc", "trailers", "60000m", "true"],
    );
  });

  const message = frameMessage(Buffer.from([10, 1, 120]));
  const html = Buffer.from("<html>bad gateway</html>");
  const failures: readonly (readonly [what: string, answer: Answer, code: number, details: RegExp])[] = [
    [
      "a status after the answer",
      answering(message, { "grpc-status": "8", "grpc-message": "no space: 100%25 f%C3%BCll" }),
      grpcCode.resourceExhausted,
      /^no space: 100% füll$/,
    ],
    [
      "a status alone",
      (stream) =>
        stream.respond({ ...okHeaders, "grpc-status": "14", "grpc-message": "no leader" }, { endStream: true }),
      grpcCode.unavailable,
      /^no leader$/,
    ],
    [
      "a message that is not encoded as it should",
      answering(message, { "grpc-status": "5", "grpc-message": "100% off" }),
      grpcCode.notFound,
      /^100% off$/,
    ],
    ["a status that is no number", answering(message, { "grpc-status": "bad" }), grpcCode.unknown, /^$/],
    ["no status", answering(message, { other: "1" }), grpcCode.internal, /without a status/],
    ["no message", answering(Buffer.alloc(0)), grpcCode.internal, /No message/],
    ["two messages", answering(Buffer.concat([message, message])), grpcCode.internal, /Too many/],
    ["half a message", answering(message.subarray(0, 6)), grpcCode.internal, /amidst a message/],
    ["a message that cannot be decoded", answering(frameMessage(Buffer.from([10, 9]))), grpcCode.internal, /deserial/],
    ["a compressed message", answering(Buffer.from([1, 0, 0, 0, 0])), grpcCode.unimplemented, /compressed/],
    ["a message beyond the limit", answering(Buffer.from([0, 0xff, 0, 0, 0])), grpcCode.resourceExhausted, /larger/],
    [
      "the error page of a proxy",
      (stream) => {
        stream.respond({ ":status": 502, "content-type": "text/html" });
        stream.end(html);
      },
      grpcCode.unavailable,
      /HTTP status code 502/,
    ],
    [
      "404 without a body",
      (stream) => stream.respond({ ":status": 404 }, { endStream: true }),
      grpcCode.unimplemented,
      /HTTP status code 404/,
    ],
    ["a reset with an internal error", (stream) => stream.close(2), grpcCode.internal, /RST_STREAM with code 2/],
    ["a cancellation by the server", (stream) => stream.close(8), grpcCode.cancelled, /cancelled/],
  ];
  for (const [what, answer, code, details] of failures) {
    it(`takes this answer for a failure after which a write may have happened: ${what}`, async () => {
      server.answer = answer;
      const failed = await failureOf(say());
      assert.equal(failed.code, code);
      assert.match(failed.details, details);
      assert.equal(failed.isUnsent, false);
    });
  }

  it("knows that a refused stream has not been looked at", async () => {
    server.answer = (stream) => stream.close(7);
    const failed = await failureOf(say());
    assert.deepEqual([failed.code, failed.isUnsent], [grpcCode.unavailable, true]);
  });

  it("ends a call without an answer at its deadline, and tells the server", async () => {
    const reset = new Promise<number>((resolve) => {
      server.answer = (stream) => stream.on("close", () => resolve(stream.rstCode));
    });
    const failed = await failureOf(connection.call(api.Say, {}, { deadlineMs: 1 }));
    assert.deepEqual([failed.code, failed.isUnsent], [grpcCode.deadlineExceeded, false]);
    assert.equal(await reset, 8);
  });

  it("ends calls with different deadlines each at its own", async () => {
    const arrived = new Promise<ServerHttp2Stream>((resolve) => {
      server.answer = resolve;
    });
    const late = connection.call(api.Say, {}, patient);
    const early = await failureOf(connection.call(api.Say, {}, { deadlineMs: 1 }));
    assert.equal(early.code, grpcCode.deadlineExceeded);
    echo(await arrived);
    assert.equal((await late).value.length, 0);
  });

  it("ends a call whose signal aborts with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("no longer needed");
    server.answer = () => controller.abort(reason);
    const options = { ...patient, signal: controller.signal };
    await assert.rejects(connection.call(api.Say, {}, options), reason);
    await assert.rejects(connection.call(api.Say, {}, options), reason);
  });

  for (const code of [0, 11]) {
    it(`knows which calls a server that leaves with code ${code} has not looked at, and connects again`, async () => {
      const own = await server.connect();
      const begun = new Promise<void>((resolve) => {
        server.answer = () => resolve();
      });
      const first = say("begun", own).catch((error: unknown) => error);
      await begun;
      server.answer = (stream) => stream.session?.goaway(code, 1);
      const failed = await failureOf(say("x", own));
      assert.deepEqual([failed.code, failed.isUnsent], [grpcCode.unavailable, true]);
      server.sessions.at(-1)?.destroy();
      assert.equal(((await first) as GrpcCallError).isUnsent, false);
      server.answer = echo;
      await own.waitForReady(60_000);
      assert.equal(String((await say("again", own)).value), "again");
      own[Symbol.dispose]();
    });
  }

  it("lets a server that leaves end the calls that it has begun", async () => {
    const own = await server.connect();
    server.answer = (stream) => {
      stream.session?.goaway(0, stream.id as number);
      setImmediate(() => echo(stream));
    };
    assert.equal(String((await say("last", own)).value), "last");
    own[Symbol.dispose]();
  });

  it("does not know what became of a call whose connection is lost, and connects again", async () => {
    const own = await server.connect();
    server.answer = (stream) => stream.session?.destroy();
    const failed = await failureOf(say("x", own));
    assert.deepEqual([failed.code, failed.isUnsent], [grpcCode.unavailable, false]);
    server.answer = echo;
    await own.waitForReady(60_000);
    assert.equal(String((await say("again", own)).value), "again");
    own[Symbol.dispose]();
  });

  it("connects again before the numbers of streams are used up", async () => {
    const own = await server.connect({ maxCalls: 1 });
    const before = server.sessions.length;
    server.answer = echo;
    await say("first", own);
    assert.equal((await failureOf(say("too many", own))).isUnsent, true);
    await own.waitForReady(60_000);
    await say("second", own);
    assert.equal(server.sessions.length, before + 1);
    own[Symbol.dispose]();
  });

  it("closes when the calls that are under way have ended", async () => {
    const own = await server.connect();
    const session = server.sessions.at(-1) as ServerHttp2Session;
    server.answer = (stream) => {
      own[Symbol.dispose]();
      echo(stream);
    };
    const closed = once(session, "close");
    assert.equal(String((await say("last", own)).value), "last");
    await closed;
    await assert.rejects(own.waitForReady(60_000), /closed/);
    assert.equal((await failureOf(say("late", own))).isUnsent, true);
  });

  it("carries messages both ways on a stream, until the server ends it", async () => {
    server.answer = echo;
    const seen: string[] = [];
    const status = await new Promise<GrpcCallError | undefined>((resolve) => {
      const call = connection.openStream(api.Talk, {
        onMessage: ({ value }) => {
          seen.push(String(value));
          if (seen.length === 1) {
            call.write({ value: Buffer.from("second") });
          } else {
            server.sessions[0]?.destroy();
          }
        },
        onEnd: resolve,
      });
      call.write({ value: Buffer.from("first") });
    });
    assert.deepEqual(seen, ["first", "second"]);
    assert.equal(status?.code, grpcCode.unavailable);
    await connection.waitForReady(60_000);
  });

  it("says nothing more to the listener of a stream that it has cancelled", async () => {
    const reset = new Promise<number>((resolve) => {
      server.answer = (stream) => {
        stream.respond(okHeaders);
        stream.write(Buffer.concat([message, message]));
        stream.on("close", () => resolve(stream.rstCode));
      };
    });
    let messages = 0;
    const call = connection.openStream(api.Talk, {
      onMessage: () => {
        messages++;
        call.cancel();
      },
      onEnd: () => assert.fail("the stream has been cancelled"),
    });
    assert.equal(await reset, 8);
    assert.equal(messages, 1);
  });

  it("leaves a paused stream's messages and status until it is resumed", async () => {
    server.answer = answering(message);
    const seen: string[] = [];
    let ended = (): void => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const call = connection.openStream(api.Talk, {
      onMessage: () => seen.push("message"),
      onEnd: (error) => {
        seen.push(`end ${error?.code ?? "OK"}`);
        ended();
      },
    });
    call.pause();
    await say(); // what has been sent on the connection before has arrived
    assert.deepEqual([seen, call.isPaused], [[], true]);
    call.resume();
    await end;
    assert.deepEqual(seen, ["message", "end OK"]);
  });
});

describe("a connection to something that is no server of gRPC", () => {
  let listener: Server;
  let greet: (socket: Socket) => void = () => {};
  const sockets = new Set<Socket>();

  before(async () => {
    listener = createPlainServer((socket) => {
      sockets.add(socket.on("error", () => {}));
      greet(socket);
    }).listen(0, "127.0.0.1");
    await once(listener, "listening");
  });

  after(() => {
    for (const socket of sockets) {
      socket.destroy();
    }
    listener.close();
  });

  const greetings: readonly (readonly [what: string, greet: (socket: Socket) => void, options: object])[] = [
    ["it speaks HTTP/1.1", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), {}],
    ["it closes connections", (socket) => socket.destroy(), {}],
    ["it says nothing", () => {}, { connectTimeoutMs: 1 }],
  ];
  for (const [what, greeting, options] of greetings) {
    it(`is never ready, and refuses calls with the reason: ${what}`, async () => {
      greet = greeting;
      using own = new GrpcConnection({ address: addressOf(listener), ...options });
      const { Say } = (await compileProto(text)).service<EchoService>("test.Echo");
      await assert.rejects(own.waitForReady(100), /no connection in time/);
      const failed = await failureOf(own.call(Say, {}, patient));
      assert.deepEqual([failed.code, failed.isUnsent], [grpcCode.unavailable, true]);
      assert.ok(failed.cause instanceof Error);
    });
  }

  it("is given up when its pings are not answered", async () => {
    const noSettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    greet = (socket) => socket.write(noSettings);
    using own = new GrpcConnection({ address: addressOf(listener), keepaliveMs: 5, keepaliveTimeoutMs: 5 });
    const { Say } = (await compileProto(text)).service<EchoService>("test.Echo");
    await own.waitForReady(60_000);
    const failed = await failureOf(own.call(Say, {}, patient));
    assert.deepEqual([failed.code, failed.isUnsent], [grpcCode.unavailable, false]);
    assert.match(failed.details, /does not answer pings/);
  });
});
