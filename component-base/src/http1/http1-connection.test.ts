import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { Http1Connection, type Http1Serving, type RequestReceiver } from "./http1-connection.js";
import type { RequestHead } from "./request-head.js";

/** A request as the server has it, with what has come of its body. */
class Taken implements RequestReceiver {
  readonly head: RequestHead;
  readonly connection: Http1Connection;
  readonly #onData: (taken: Taken) => void;
  readonly #onEnd: (taken: Taken) => void;
  data = "";
  isWhole = false;
  isGone = false;
  hasBegun = false;

  constructor(
    head: RequestHead,
    connection: Http1Connection,
    listeners: { onData?: (taken: Taken) => void; onEnd?: (taken: Taken) => void },
  ) {
    this.head = head;
    this.connection = connection;
    this.#onData = listeners.onData ?? (() => {});
    this.#onEnd = listeners.onEnd ?? (() => {});
  }

  onData(bytes: Buffer): void {
    this.data += bytes.toString("latin1");
    this.#onData(this);
  }

  onTrailers(): void {}

  onEnd(): void {
    this.isWhole = true;
    this.#onEnd(this);
  }

  onClose(): void {
    this.isGone = true;
  }

  answer(): void {
    this.connection.socket.write(`<${this.head.target}>`);
    this.connection.answered(this.head.isPersistent);
  }
}

const hourMs = 3_600_000;

/** Opens a connection whose server hands each request to `onRequest`. */
async function open(
  onRequest: (taken: Taken) => void,
  options: Partial<Http1Serving> & { onData?: (taken: Taken) => void; onEnd?: (taken: Taken) => void } = {},
) {
  const taken: Taken[] = [];
  const connections: Http1Connection[] = [];
  const server = createServer((socket) => {
    const serving: Http1Serving = {
      maxHeadBytes: 1000,
      headTimeoutMs: hourMs,
      idleTimeoutMs: hourMs,
      ...options,
      accept(head, connection) {
        const request = new Taken(head, connection, options);
        taken.push(request);
        // As a server does: what is read is answered in a round of its own.
        setImmediate(() => onRequest(request));
        return request;
      },
    };
    connections.push(new Http1Connection(socket, serving));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => {});
  let answer = "";
  client.on("data", (bytes: Buffer) => (answer += bytes.toString("latin1")));
  return {
    client,
    taken,
    connections,
    answer: () => answer,
    async until(condition: () => boolean): Promise<void> {
      while (!condition()) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    [Symbol.dispose]() {
      client.destroy();
      for (const { socket } of connections) {
        socket.destroy();
      }
      server.close();
    },
  };
}

const get = (target: string, ...fields: string[]): string =>
  [`GET ${target} HTTP/1.1`, "Host: x", ...fields, "", ""].join("\r\n");

const answerIt = (taken: Taken): void => taken.answer();

/** Resolves when the server has ended its side. */
async function end(client: Socket): Promise<void> {
  await once(client, "end");
}

describe("a connection of HTTP/1.1", () => {
  it("hands requests on one after the other, the next when the one before is answered", async () => {
    const waiting: Taken[] = [];
    using peer = await open((request) => waiting.push(request));
    peer.client.write(get("/1") + get("/2") + get("/3"));
    for (const target of ["/1", "/2", "/3"]) {
      await peer.until(() => waiting.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(
        waiting.map(({ head }) => head.target),
        [target],
      );
      waiting.pop()?.answer();
    }
    await peer.until(() => peer.answer() === "</1></2></3>");
  });

  it("takes requests that come byte by byte", async () => {
    using peer = await open(() => {}, { onEnd: answerIt });
    peer.client.setNoDelay(true);
    const request = "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    for (const character of request + request.replace("/a", "/b")) {
      peer.client.write(character);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await peer.until(() => peer.answer() === "</a></b>");
    assert.deepEqual(
      peer.taken.map(({ data }) => data),
      ["abc", "abc"],
    );
  });

  it("reads no more of a body than is wanted, and goes on when it is wanted", async () => {
    let isPaused = false;
    using peer = await open(() => {}, {
      onData(taken) {
        isPaused = taken.data.length >= 1000;
        if (isPaused) {
          taken.connection.pause();
        }
      },
      onEnd: answerIt,
    });
    const length = 8_000_000;
    peer.client.write(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
    peer.client.write("x".repeat(length));
    await peer.until(() => isPaused);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [request] = peer.taken as [Taken];
    assert.ok(request.data.length < length / 2, `${request.data.length} bytes were read`);
    for (let reads = 0; !request.isWhole; reads++) {
      assert.ok(reads < 10_000);
      request.connection.resume();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(request.data.length, length);
    await peer.until(() => peer.answer() === "</>");
  });

  it("drops a body that nobody wants, and takes the request behind it", async () => {
    using peer = await open(answerIt);
    const body = "GET /hidden HTTP/1.1\r\n\r\n".repeat(50_000);
    peer.client.write(`PUT /1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`);
    peer.client.write(body + get("/2"));
    await peer.until(() => peer.answer() === "</1></2>");
    assert.deepEqual(
      peer.taken.map(({ head }) => head.target),
      ["/1", "/2"],
    );
  });

  it("skips a line behind the body of a POST", async () => {
    using peer = await open(() => {}, { onEnd: answerIt });
    const post = "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx\r\n";
    peer.client.write(post + post.replace("/1", "/2"));
    await peer.until(() => peer.answer() === "</1></2>");
  });

  it("ends behind the answer for who wants it to, and looks at nothing that follows", async () => {
    using peer = await open(answerIt);
    peer.client.write(get("/1", "Connection: close") + get("/2"));
    await end(peer.client);
    assert.equal(peer.answer(), "</1>");
    assert.equal(peer.taken.length, 1);
  });

  it("ends behind the answer under way when it is to take no more", async () => {
    using peer = await open(() => {});
    peer.client.write(get("/1"));
    await peer.until(() => peer.taken.length === 1);
    peer.connections[0]?.refuseMore();
    peer.client.write(get("/2"));
    peer.taken[0]?.answer();
    await end(peer.client);
    assert.equal(peer.answer(), "</1>");
    assert.equal(peer.taken.length, 1);
  });

  it("ends at once without a request under way when it is to take no more", async () => {
    using peer = await open(answerIt);
    await peer.until(() => peer.connections.length === 1);
    peer.connections[0]?.refuseMore();
    await end(peer.client);
  });

  it("says what is wrong with a head, and ends", async () => {
    using peer = await open(answerIt);
    peer.client.write(get("/1") + get("/2", "a b: c"));
    await end(peer.client);
    assert.equal(
      peer.answer(),
      "</1>HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" +
        "400 Bad Request: invalid header name",
    );
  });

  it("refuses a head whose lines end in LF alone, which has no end", async () => {
    using peer = await open(answerIt);
    peer.client.write("GET / HTTP/1.1\nHost: x\n\n");
    await end(peer.client);
    assert.match(peer.answer(), /^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it("refuses a head that is too large, whole or not", async () => {
    for (const text of [get("/", `a: ${"x".repeat(2000)}`), `GET /${"x".repeat(2000)}`]) {
      using peer = await open(answerIt);
      peer.client.write(text);
      await end(peer.client);
      assert.match(peer.answer(), /^HTTP\/1\.1 431 .*\r\n\r\n431 Request Header Fields Too Large$/s);
    }
  });

  it("refuses a body whose framing is broken, and tells who waits for the rest", async () => {
    using peer = await open(() => {});
    peer.client.write("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n");
    await end(peer.client);
    assert.match(peer.answer(), /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.deepEqual([peer.taken[0]?.data, peer.taken[0]?.isWhole, peer.taken[0]?.isGone], ["abc", false, true]);
  });

  it("is cut off, and not written to, when the framing breaks behind the beginning of an answer", async () => {
    using peer = await open((request) => {
      request.hasBegun = true;
      request.connection.socket.write("begun");
    });
    peer.client.write("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    await peer.until(() => peer.answer() === "begun");
    peer.client.write("x");
    peer.client.write("\r\n");
    await peer.until(() => peer.taken[0]?.isGone === true);
    assert.equal(peer.answer(), "begun");
  });

  it("is closed when a head does not come in time, in part or at all", async () => {
    for (const text of ["", "GET / HT"]) {
      using peer = await open(answerIt, { headTimeoutMs: 50 });
      peer.client.write(text);
      await end(peer.client);
      assert.equal(peer.answer(), "");
    }
  });

  it("is closed when it is not used, and not while a request is under way", async () => {
    using peer = await open(() => {}, { idleTimeoutMs: 100 });
    peer.client.write(get("/1"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(peer.connections[0]?.socket.destroyed, false);
    peer.taken[0]?.answer();
    await end(peer.client);
    assert.equal(peer.answer(), "</1>");
  });

  it("still answers a client that has ended its side behind its request", async () => {
    using peer = await open((request) => setTimeout(() => request.answer(), 50));
    peer.client.end(get("/1"));
    await end(peer.client);
    assert.equal(peer.answer(), "</1>");
  });

  it("tells of a client that goes away before it has its answer, or before its body is whole", async () => {
    for (const text of [get("/"), "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"]) {
      using peer = await open(() => {});
      peer.client.write(text);
      await peer.until(() => peer.taken.length === 1);
      peer.client.destroy();
      await peer.until(() => peer.taken[0]?.isGone === true);
    }
  });

  it("is handed over with the bytes behind the head", async () => {
    let received = "";
    using peer = await open((request) => {
      request.connection.take().on("data", (bytes: Buffer) => (received += bytes.toString()));
    });
    peer.client.write(`${get("/", "Connection: upgrade", "Upgrade: x")}\x01\x02`);
    await peer.until(() => received === "\x01\x02");
    peer.client.write("more");
    await peer.until(() => received === "\x01\x02more");
  });

  it("does not read on while its client is held", async () => {
    using peer = await open(answerIt);
    peer.client.write(get("/1"));
    await peer.until(() => peer.answer() === "</1>");
    const release = peer.connections[0]?.hold();
    peer.client.write(get("/2"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(peer.taken.length, 1);
    release?.();
    await peer.until(() => peer.answer() === "</1></2>");
  });
});
