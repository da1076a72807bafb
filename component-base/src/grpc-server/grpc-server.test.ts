import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from "node:http2";
import { connect as connectSocket } from "node:net";
import { after, before, describe, it } from "node:test";
import { frameMessage } from "../grpc/message-frames.js";
import { type GrpcRoute, type GrpcServer, GrpcStatusError, grpcCode, startGrpcServer } from "./index.js";

const maxMessageBytes = 1000;
const maxConnections = 3;

/** Messages that the streaming route is sending, and whether the call is over. */
const flood = { sent: 0, isOver: false };

const routes: readonly GrpcRoute[] = [
  { path: "/t.T/Echo", isStream: false, answer: (request) => request },
  { path: "/t.T/Later", isStream: false, answer: async (request) => request },
  {
    path: "/t.T/Refuse",
    isStream: false,
    answer() {
      throw new GrpcStatusError(grpcCode.notFound, "no such thing: 100% ä");
    },
  },
  {
    path: "/t.T/Fail",
    isStream: false,
    answer: () => Promise.reject(new TypeError("a secret detail")),
  },
  {
    path: "/t.T/EchoAll",
    isStream: true,
    open: (call) => ({
      onMessage: (message) => call.sendEncoded(message),
      onEnd: () => call.end(),
      onOver() {},
    }),
  },
  {
    path: "/t.T/Paced",
    isStream: true,
    open: (call) => ({
      async onMessage(message) {
        await call.drained();
        call.sendEncoded(message);
      },
      onEnd: () => call.end(),
      onOver() {},
    }),
  },
  {
    path: "/t.T/Flood",
    isStream: true,
    open(call) {
      const message = Buffer.alloc(100_000);
      const send = async (): Promise<void> => {
        while (!flood.isOver) {
          await call.drained();
          call.sendEncoded(message);
          flood.sent++;
        }
      };
      return {
        onMessage: () => void send(),
        onEnd() {},
        onOver() {
          flood.isOver = true;
        },
      };
    },
  },
];

describe("the server of gRPC", () => {
  const faults: unknown[] = [];
  let loads = 0;
  let server: GrpcServer;
  let session: ClientHttp2Session;
  before(async () => {
    server = await startGrpcServer({
      host: "127.0.0.1",
      port: 0,
      routes: async () => {
        loads++;
        return routes;
      },
      maxMessageBytes,
      maxConnections,
      maxStreamsPerConnection: 100,
      onFault: (error) => faults.push(error),
      answerPlain: async ({ method, target }) => ({
        status: target === "/health?now" && method === "GET" ? 200 : 404,
        headers: { "content-type": "text/plain" },
        body: `${method} ${target}`,
      }),
    });
    session = connect(`http://127.0.0.1:${server.port}`);
  });
  after(async () => {
    session.destroy();
    await server[Symbol.asyncDispose]();
  });

  /** Sends bytes as the body of a call; resolves to its status and the bytes of its answer. */
  async function call(path: string, ...pieces: readonly Buffer[]): Promise<{ status: string; body: string }> {
    const stream = open(path);
    for (const piece of pieces) {
      stream.write(piece);
      await new Promise(setImmediate);
    }
    stream.end();
    return answerOf(stream);
  }

  function open(path: string): ClientHttp2Stream {
    return session.request({ ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" });
  }

  async function answerOf(stream: ClientHttp2Stream): Promise<{ status: string; body: string }> {
    let headers: IncomingHttpHeaders = {};
    stream.on("response", (sent) => {
      headers = { ...headers, ...sent };
    });
    stream.on("trailers", (sent) => {
      headers = { ...headers, ...sent };
    });
    let body = "";
    stream.setEncoding("latin1");
    for await (const text of stream) {
      body += text;
    }
    const message = headers["grpc-message"];
    return { status: `${headers["grpc-status"]}${message === undefined ? "" : ` ${message}`}`, body };
  }

  const message = frameMessage(Buffer.from("hello"));
  const answered = { status: "0", body: message.toString("latin1") };

  it("loads its routes with the first calls, once", async () => {
    assert.equal(loads, 0);
    assert.deepEqual(await Promise.all([call("/t.T/Echo", message), call("/t.T/Later", message)]), [
      answered,
      answered,
    ]);
    assert.equal(loads, 1);
  });

  it("answers a call at once or later", async () => {
    assert.deepEqual(await call("/t.T/Echo", message), answered);
    assert.deepEqual(await call("/t.T/Later", message), answered);
  });

  it("answers a message that comes byte by byte", async () => {
    const bytes = [...message].map((byte) => Buffer.of(byte));
    assert.deepEqual(await call("/t.T/Echo", ...bytes), answered);
  });

  it("answers the first of several messages of a call that has one", async () => {
    assert.deepEqual(await call("/t.T/Echo", Buffer.concat([message, frameMessage(Buffer.from("more"))])), answered);
  });

  it("answers each message of a streaming call in order, whatever the pieces they come in", async () => {
    const messages = ["a", "", "ccc"].map((text) => frameMessage(Buffer.from(text)));
    const all = Buffer.concat(messages);
    const { status, body } = await call("/t.T/EchoAll", all.subarray(0, 7), all.subarray(7));
    assert.deepEqual({ status, body }, { status: "0", body: all.toString("latin1") });
  });

  it("goes on with the next message when the connection has taken the answer to the one before", async () => {
    const all = Buffer.concat(["a", "b", "c"].map((text) => frameMessage(Buffer.from(text))));
    assert.deepEqual(await call("/t.T/Paced", all), { status: "0", body: all.toString("latin1") });
  });

  it("sends the status of an error with its text percent-encoded", async () => {
    const { status } = await call("/t.T/Refuse", message);
    assert.equal(status, "5 no such thing: 100%25 %C3%A4");
  });

  it("tells nothing of other errors but that there was one, and reports them", async () => {
    assert.deepEqual(await call("/t.T/Fail", message), {
      status: "13 grpc: the server failed to carry out the call",
      body: "",
    });
    assert.match(String(faults.at(-1)), /a secret detail/);
  });

  it("refuses a method that it does not have", async () => {
    assert.equal((await call("/t.T/None", message)).status, "12 unknown method /t.T/None");
  });

  it("refuses a compressed message", async () => {
    const compressed = Buffer.from(message);
    compressed[0] = 1;
    const refusal = "12 grpc: compressed messages are not supported";
    assert.equal((await call("/t.T/Echo", compressed)).status, refusal);
    assert.equal((await call("/t.T/EchoAll", compressed)).status, refusal);
  });

  it("refuses a message that is too large when it has seen its length", async () => {
    const prefix = Buffer.from([0, 0xff, 0xff, 0xff, 0xff]);
    const refusal = `8 grpc: received message larger than max (4294967295 vs. ${maxMessageBytes})`;
    const unary = open("/t.T/Echo");
    unary.write(prefix);
    assert.equal((await answerOf(unary)).status, refusal);
    const streaming = open("/t.T/EchoAll");
    streaming.write(prefix);
    assert.equal((await answerOf(streaming)).status, refusal);
    const full = frameMessage(Buffer.alloc(maxMessageBytes + 1));
    assert.match((await call("/t.T/Echo", full)).status, /^8 .*\(1001 vs\. 1000\)$/);
    assert.equal((await call("/t.T/Echo", frameMessage(Buffer.alloc(maxMessageBytes)))).status, "0");
  });

  it("refuses a call that ends without a whole message", async () => {
    const refusal = "13 grpc: the call ended without a request";
    assert.equal((await call("/t.T/Echo")).status, refusal);
    assert.equal((await call("/t.T/Echo", message.subarray(0, 7))).status, refusal);
  });

  it("refuses a streaming call that ends amidst a message", async () => {
    const { status } = await call("/t.T/EchoAll", message, message.subarray(0, 7));
    assert.equal(status, "13 grpc: the call ended amidst a message");
  });

  it("sends no more than the windows of a client that does not read, and stops when the client goes", async () => {
    const unread = connect(`http://127.0.0.1:${server.port}`); // its window is used up, so it has no other calls
    const stream = unread.request({ ":method": "POST", ":path": "/t.T/Flood", "content-type": "application/grpc" });
    stream.on("error", () => {});
    stream.write(message);
    await once(stream, "response");
    let before = -1;
    while (flood.sent !== before) {
      before = flood.sent;
      await call("/t.T/Echo", message);
    }
    assert.ok(flood.sent < 50, `${flood.sent} messages`);
    unread.destroy();
    while (!flood.isOver) {
      await call("/t.T/Echo", message);
    }
  });

  it("goes on after a connection that speaks no HTTP", async () => {
    const socket = connectSocket(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.end("neither HTTP/2 nor HTTP/1.1\r\n\r\n");
    socket.resume();
    await once(socket, "close");
    assert.deepEqual(await call("/t.T/Echo", message), answered);
  });

  it("closes connections beyond its limit, and takes others when one has ended", async () => {
    const others: ClientHttp2Session[] = [];
    for (let i = 1; i < maxConnections; i++) {
      const other = connect(`http://127.0.0.1:${server.port}`);
      others.push(other);
      await once(other, "remoteSettings");
    }
    const refused = connect(`http://127.0.0.1:${server.port}`);
    refused.on("error", () => {});
    await once(refused, "close");
    for (const other of others) {
      other.destroy();
    }
    assert.deepEqual(await call("/t.T/Echo", message), answered);
  });

  it("answers a GET of HTTP/1.1 on the same port, and closes its connection", async () => {
    const found = await fetch(`http://127.0.0.1:${server.port}/health?now`);
    assert.deepEqual(
      [found.status, await found.text(), found.headers.get("content-type"), found.headers.get("connection")],
      [200, "GET /health?now", "text/plain", "close"],
    );
    const posted = await fetch(`http://127.0.0.1:${server.port}/health?now`, { method: "POST" });
    assert.deepEqual([posted.status, await posted.text()], [404, "POST /health?now"]);
  });

  it("serves HTTP/2 to a client whose first bytes come one by one", async () => {
    const socket = connectSocket(server.port, "127.0.0.1");
    socket.setNoDelay(true);
    const settings = once(socket, "data");
    for (const byte of Buffer.concat([
      Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
      Buffer.from("000000040000000000", "hex"),
    ])) {
      socket.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [frame] = (await settings) as [Buffer];
    assert.equal(frame[3], 4, "the first frame must be SETTINGS");
    socket.destroy();
  });

  it("answers requests that are not of gRPC by their path", async () => {
    const codes = await Promise.all(
      ["/health?now", "/other"].map(async (path) => {
        const stream = session.request({ ":path": path });
        const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
        stream.resume();
        await once(stream, "close");
        return headers[":status"];
      }),
    );
    assert.deepEqual(codes, [200, 404]);
  });

  it("refuses calls while its routes cannot be loaded, and reports why", async () => {
    const problem = new Error("no such file");
    const reported: unknown[] = [];
    await using broken = await startGrpcServer({
      ...{ host: "127.0.0.1", port: 0, maxMessageBytes, maxConnections, maxStreamsPerConnection: 100 },
      routes: () => Promise.reject(problem),
      onFault: (error) => reported.push(error),
    });
    const other = connect(`http://127.0.0.1:${broken.port}`);
    const stream = other.request({ ":method": "POST", ":path": "/t.T/Echo", "content-type": "application/grpc" });
    stream.end(message);
    assert.deepEqual(await answerOf(stream), { status: "13 the methods cannot be loaded", body: "" });
    assert.deepEqual(reported, [problem]);
    other.destroy();
  });
});
