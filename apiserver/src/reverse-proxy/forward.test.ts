import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  type Http2ServerRequest,
} from "node:http2";
import { type RequestOptions, request as requestHttps } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { Readable } from "node:stream";
import { before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { Http2Connection, noReceiver } from "@gatehouse/component-base/http2";
import {
  type BackendHandler,
  type Protocol,
  startBackend,
  startFront,
  type TestCertificates,
  testCertificates,
} from "./peers.test.support.js";

let certificates: TestCertificates;
before(async () => {
  certificates = await testCertificates();
});

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) {
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

function ask(port: number, options: RequestOptions = {}): ReturnType<typeof requestHttps> {
  return requestHttps({ host: "127.0.0.1", port, rejectUnauthorized: false, agent: false, ...options });
}

async function answerTo(port: number, options: RequestOptions = {}): Promise<IncomingMessage> {
  const [response] = (await once(ask(port, options).end(), "response")) as [IncomingMessage];
  return response;
}

function openHttp2(port: number): ClientHttp2Session & Disposable {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  return Object.assign(session, { [Symbol.dispose]: () => session.destroy() });
}

/** Sends a request without a body over HTTP/2, whose fields Node would refuse to send. Resolves to the status. */
async function statusOverHttp2(port: number, fields: readonly string[]): Promise<string | undefined> {
  const socket = connectTls({ port, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  await once(socket, "secureConnect");
  const client = new Http2Connection(socket, {
    listener: { onClose() {} },
    limits: { streamWindow: 65_535, connectionWindow: 65_535, maxListBytes: 100_000 },
  });
  try {
    return await new Promise((resolve, reject) => {
      const onHead = (head: readonly string[]): void => resolve(head[1]);
      const onClose = (code: number): void => reject(new Error(`the stream was closed with ${code}`));
      client.request(fields, true, { ...noReceiver, onHead, onClose });
    });
  } finally {
    client.destroy();
  }
}

/** Answers each piece of the body with the piece. */
const echo: BackendHandler = (request, response) => {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  request.on("data", (piece: Buffer) => response.write(piece));
  request.on("end", () => response.end());
};

const protocols: readonly Protocol[] = ["http", "https", "h2"];

describe("A forwarded request", () => {
  for (const protocol of protocols) {
    describe(`to a backend that speaks ${protocol}`, () => {
      it("streams both bodies at once, over HTTP/1.1", async () => {
        await using peer = await startBackend(protocol, certificates, echo);
        await using front = await startFront(peer.backend, certificates);
        const sent = ask(front.port, { method: "POST", path: "/a?b=c" });
        sent.write("first ");
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        const [first] = (await once(response, "data")) as [Buffer];
        assert.equal(first.toString(), "first ");
        sent.end("second");
        assert.equal(await textOf(response), "second");
      });

      it("streams both bodies at once, over HTTP/2", async () => {
        await using peer = await startBackend(protocol, certificates, echo);
        await using front = await startFront(peer.backend, certificates);
        using session = openHttp2(front.port);
        const stream: ClientHttp2Stream = session.request({ ":method": "POST", ":path": "/a" });
        stream.write("first ");
        const [first] = (await once(stream, "data")) as [Buffer];
        assert.equal(first.toString(), "first ");
        stream.end("second");
        assert.equal(await textOf(stream), "second");
      });

      it("carries headers from end to end, with the client's address and host, and none of its connection", async () => {
        let seen: IncomingMessage | undefined;
        await using peer = await startBackend(protocol, certificates, (request, response) => {
          seen = request;
          response.setHeader("X-Two", ["a", "b"]);
          if (protocol !== "h2") {
            response.setHeader("Connection", "X-Mine");
            response.setHeader("X-Mine", "of the backend's connection");
          }
          response.end(JSON.stringify({ method: request.method, url: request.url }));
        });
        await using front = await startFront(peer.backend, certificates);
        const headers = {
          Host: "api.example:6443",
          Connection: "X-Own",
          "X-Own": "of the connection",
          "Keep-Alive": "timeout=5",
          "X-Forwarded-For": "203.0.113.7",
          Cookie: "a=1",
          Te: "trailers",
        };
        const response = await answerTo(front.port, { path: "/p%2Fq?x=%20y", method: "DELETE", headers });
        assert.deepEqual(JSON.parse(await textOf(response)), { method: "DELETE", url: "/p%2Fq?x=%20y" });
        assert.ok(seen !== undefined);
        assert.equal(seen.headers["x-forwarded-for"], "203.0.113.7, 127.0.0.1");
        assert.equal(seen.headers.host ?? seen.headers[":authority"], "api.example:6443");
        assert.equal(seen.headers.te, "trailers");
        assert.equal(seen.headers["x-own"], undefined);
        assert.equal(seen.headers["keep-alive"], undefined);
        assert.deepEqual(response.headersDistinct["x-two"], ["a", "b"]);
        assert.equal(response.headers["x-mine"], undefined);
      });

      it("carries what blanks and other characters a client of HTTP/2 has sent, and no byte that ends a line", async () => {
        const seen: IncomingMessage[] = [];
        await using peer = await startBackend(protocol, certificates, (request, response) => {
          seen.push(request);
          response.end();
        });
        await using front = await startFront(peer.backend, certificates);
        const request = [":method", "GET", ":scheme", "https", ":path", "/x HTTP/1.1?a= b HTTP/1.1"];
        const fields = ["host", "other", "a", " 1 ", "b", "\t2\t", "c", " "];
        await statusOverHttp2(front.port, [...request, ":authority", " a ", ...fields]);
        await statusOverHttp2(front.port, [...request, ":authority", "a:1", ...fields]);
        await statusOverHttp2(front.port, request);
        assert.deepEqual(
          seen.map(({ url }) => url),
          seen.map(() => "/x%20HTTP/1.1?a=%20b%20HTTP/1.1"),
        );
        const hosts = seen.map(({ headers }) => headers.host ?? headers[":authority"]);
        // Of HTTP/2, Node refuses an authority that is empty, and Go's client sends none.
        assert.deepEqual(hosts, [...(protocol === "h2" ? [] : [""]), "a:1", `127.0.0.1:${peer.backend.port}`]);
        if (protocol !== "h2") {
          const { a, b, c } = seen[0]?.headers ?? {};
          assert.deepEqual([a, b, c], ["1", "2", ""]);
        } // Node's HTTP/2 leaves fields with blanks out.
      });

      it("carries trailers both ways", async () => {
        await using peer = await startBackend(protocol, certificates, (request, response) => {
          response.setHeader("Trailer", "X-Sum");
          request.resume().on("end", () => {
            response.write("body");
            response.addTrailers({ "X-Sum": String(request.trailers["x-count"]) });
            response.end();
          });
        });
        await using front = await startFront(peer.backend, certificates);
        const sent = ask(front.port, {
          method: "POST",
          headers: { "Transfer-Encoding": "chunked", Trailer: "X-Count" },
        });
        sent.addTrailers({ "X-Count": "17" });
        sent.end("abc");
        const [response] = (await once(sent, "response")) as [IncomingMessage];
        assert.equal(await textOf(response), "body");
        assert.deepEqual({ ...response.trailers }, { "x-sum": "17" });

        using session = openHttp2(front.port);
        const stream = session.request({ ":method": "POST" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "x-count": "18" }));
        stream.end("abc");
        const trailers = once(stream, "trailers");
        assert.equal(await textOf(stream), "body");
        assert.equal((await trailers)[0]["x-sum"], "18");
      });

      it("does not read more of an answer than its client takes", async () => {
        const piece = Buffer.alloc(64 * 1024);
        let sent = 0;
        let isFull = false;
        await using peer = await startBackend(protocol, certificates, (_request, response) => {
          const write = (): void => {
            while (sent < 512 * 1024 * 1024) {
              sent += piece.length;
              if (!response.write(piece)) {
                isFull = true;
                response.once("drain", write);
                return;
              }
            }
          };
          write();
        });
        await using front = await startFront(peer.backend, certificates);
        const response = await answerTo(front.port);
        response.pause();
        // Until the backend has waited for long enough that nothing moves any more.
        for (let before = -1; before !== sent || !isFull; await new Promise((resolve) => setTimeout(resolve, 100))) {
          before = sent;
        }
        assert.ok(sent < 128 * 1024 * 1024, `the backend has sent ${sent} bytes to a client that takes none`);
        response.destroy();
      });

      it("gets the head of a short answer before the rest of its content, and then that", async () => {
        let finish: (() => void) | undefined;
        await using peer = await startBackend(protocol, certificates, (_request, response) => {
          response.writeHead(200, { "content-length": "11" });
          response.write("first ");
          finish = () => response.end("piece");
        });
        await using front = await startFront(peer.backend, certificates);
        const response = await answerTo(front.port);
        assert.equal(response.headers["content-length"], "11");
        const [first] = (await once(response, "data")) as [Buffer];
        assert.equal(first.toString(), "first ");
        finish?.();
        assert.equal(await textOf(response), "piece");
      });

      it("is cancelled when its client goes away", async () => {
        let backendClosed: Promise<unknown> | undefined;
        await using peer = await startBackend(protocol, certificates, (_request, response) => {
          backendClosed = once(response, "close");
          response.write("begun");
        });
        await using front = await startFront(peer.backend, certificates);
        const response = await answerTo(front.port);
        await once(response, "data");
        response.destroy();
        await backendClosed;
      });

      it("is cancelled when its client goes away before there is an answer", async () => {
        const { promise: closed, resolve } = promised<void>();
        const arrived = promised<void>();
        await using peer = await startBackend(protocol, certificates, (request) => {
          request.once("close", () => resolve());
          arrived.resolve();
        });
        await using front = await startFront(peer.backend, certificates);
        const sent = ask(front.port);
        sent.on("error", () => {});
        sent.end();
        await arrived.promise;
        sent.destroy();
        await closed;
        while (front.ended() === 0) {
          await new Promise((resolveNext) => setImmediate(resolveNext));
        }
      });

      it("breaks off an answer that its backend breaks off", async () => {
        await using peer = await startBackend(protocol, certificates, (request, response) => {
          response.write("begun");
          setImmediate(() => ("stream" in request ? sessionOf(request) : request.socket).destroy());
        });
        await using front = await startFront(peer.backend, certificates);
        const response = await answerTo(front.port);
        await assert.rejects(textOf(response), { code: "ECONNRESET" });

        using session = openHttp2(front.port);
        const stream = session.request({ ":path": "/" });
        await assert.rejects(textOf(stream), { code: "ERR_HTTP2_STREAM_ERROR" });
      });

      it("keeps the connection to its backend for the next one", async () => {
        await using peer = await startBackend(protocol, certificates, (_request, response) => response.end("x"));
        await using front = await startFront(peer.backend, certificates);
        for (let i = 0; i < 3; i++) {
          assert.equal(await textOf(await answerTo(front.port)), "x");
        }
        assert.equal(peer.connections(), 1);
      });

      it("keeps its connections under many requests at a time", async () => {
        await using peer = await startBackend(protocol, certificates, (_request, response) => response.end("x"));
        await using front = await startFront(peer.backend, certificates);
        using session = openHttp2(front.port);
        const client = async (): Promise<void> => {
          for (let i = 0; i < 30; i++) {
            assert.equal(await textOf(session.request({ ":path": "/" })), "x");
          }
        };
        await Promise.all(Array.from({ length: 10 }, client));
        // One for each client, and some that were opened while another was about to become free.
        assert.ok(peer.connections() <= 100, `${peer.connections()} connections for 300 requests`);
      });
    });
  }

  it("shares one connection of HTTP/2 with others at the same time", async () => {
    const waiting: ServerResponse[] = [];
    await using peer = await startBackend("h2", certificates, (request, response) => {
      if (request.url === "/first") {
        response.end();
        return;
      }
      waiting.push(response);
      if (waiting.length === 5) {
        for (const each of waiting) {
          each.end("together");
        }
      }
    });
    await using front = await startFront(peer.backend, certificates);
    await textOf(await answerTo(front.port, { path: "/first" }));
    const texts = await Promise.all(Array.from({ length: 5 }, async () => textOf(await answerTo(front.port))));
    assert.deepEqual(texts, Array(5).fill("together"));
    assert.equal(peer.connections(), 1);
  });

  it("is sent again when a kept connection turns out to be closed", async () => {
    let count = 0;
    await using peer = await startBackend("http", certificates, (request, response) => {
      count++;
      if (count === 2) {
        request.socket.destroy();
      } else {
        response.end(String(count));
      }
    });
    await using front = await startFront(peer.backend, certificates);
    assert.equal(await textOf(await answerTo(front.port)), "1");
    assert.equal(await textOf(await answerTo(front.port)), "3");
  });

  it("is sent again when a backend of HTTP/2 has refused it without looking at it, unless it has a body", async () => {
    let count = 0;
    await using peer = await startBackend("h2", certificates, (request, response) => {
      if (++count % 2 === 0) {
        response.end(String(count));
      } else {
        (request as unknown as Http2ServerRequest).stream.close(constants.NGHTTP2_REFUSED_STREAM);
      }
    });
    await using front = await startFront(peer.backend, certificates);
    assert.equal(await textOf(await answerTo(front.port)), "2");
    const sent = ask(front.port, { method: "POST" });
    sent.end("abc");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    assert.equal(response.statusCode, 503);
    assert.equal(await textOf(response), "the backend has refused the request without looking at it");
    assert.equal(count, 3);
  });

  it("with a body is not sent again, since it may have arrived", async () => {
    let count = 0;
    await using peer = await startBackend("http", certificates, (request, response) => {
      count++;
      if (count === 2) {
        request.socket.destroy();
      } else {
        response.end(String(count));
      }
    });
    await using front = await startFront(peer.backend, certificates);
    assert.equal(await textOf(await answerTo(front.port)), "1");
    const sent = ask(front.port, { method: "POST" });
    sent.end("abc");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    assert.equal(response.statusCode, 503);
    assert.equal(count, 2);
  });

  it("may be answered before all of its body has arrived", async () => {
    await using peer = await startBackend("http", certificates, (_request, response) => {
      response.writeHead(413).end("too much");
    });
    await using front = await startFront(peer.backend, certificates);
    const sent = ask(front.port, { method: "POST" });
    sent.on("error", () => {});
    sent.write("some");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    assert.equal(response.statusCode, 413);
    assert.equal(await textOf(response), "too much");
    sent.destroy();
  });

  it("gets the head of an answer before its first piece", async () => {
    await using peer = await startBackend("http", certificates, (_request, response) => response.flushHeaders());
    await using front = await startFront(peer.backend, certificates);
    const response = await answerTo(front.port);
    assert.equal(response.statusCode, 200);
    response.destroy();
  });

  it("gets HEAD, 204 and 304 without a body", async () => {
    await using peer = await startBackend("http", certificates, (request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { "Content-Length": request.method === "HEAD" ? 17 : 0 }).end();
    });
    await using front = await startFront(peer.backend, certificates);
    const head = await answerTo(front.port, { method: "HEAD", path: "/200" });
    assert.equal(head.headers["content-length"], "17");
    assert.equal(await textOf(head), "");
    for (const status of [204, 304]) {
      const response = await answerTo(front.port, { path: `/${status}` });
      assert.equal(response.statusCode, status);
      assert.equal(await textOf(response), "");
    }
  });

  it("is told of a redirect without a body where it asked by HEAD", async () => {
    await using peer = await startBackend("h2", certificates, (_request, response) => {
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    await using front = await startFront(peer.backend, certificates, { rejectRedirects: true });
    using session = openHttp2(front.port);
    const stream = session.request({ ":method": "HEAD", ":path": "/" });
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    assert.equal(headers[":status"], 502);
    assert.equal(headers["content-length"], "70");
    assert.equal(await textOf(stream), "");
  });

  it("is refused a redirect where that is asked for", async () => {
    await using peer = await startBackend("http", certificates, (_request, response) => {
      response.writeHead(307, { Location: "http://192.0.2.1/" }).end("elsewhere");
    });
    await using front = await startFront(peer.backend, certificates, { rejectRedirects: true });
    const response = await answerTo(front.port);
    assert.equal(response.statusCode, 502);
    assert.equal(response.headers.location, undefined);
    assert.equal(await textOf(response), "the backend attempted to redirect this request, which is not permitted");
    await using open = await startFront(peer.backend, certificates);
    assert.equal((await answerTo(open.port)).headers.location, "http://192.0.2.1/");
  });

  it("fails when its answer does not begin in time", async () => {
    await using peer = await startBackend("http", certificates, () => {});
    await using front = await startFront(peer.backend, certificates, { transport: { headersTimeoutMs: 20 } });
    const response = await answerTo(front.port);
    assert.equal(response.statusCode, 503);
    assert.equal(await textOf(response), "the backend has not begun to answer within 20 ms");
  });

  it("fails when its backend shows a certificate of a stranger", async () => {
    const others = await testCertificates();
    await using peer = await startBackend("https", others, (_request, response) => response.end());
    await using front = await startFront(peer.backend, certificates);
    assert.match(await textOf(await answerTo(front.port)), /certificate is not trusted/);
  });

  it("uses the TLS material of now, and no connection of earlier material", async () => {
    await using peer = await startBackend("https", certificates, (_request, response) => response.end("x"));
    const others = await testCertificates();
    const own = { certificateAuthorityPem: certificates.authorityPem, insecureSkipTlsVerify: false };
    let tls = own;
    await using front = await startFront(peer.backend, certificates, { transport: { tls: () => tls } });
    assert.equal((await answerTo(front.port)).statusCode, 200);
    tls = { certificateAuthorityPem: others.authorityPem, insecureSkipTlsVerify: false };
    assert.equal((await answerTo(front.port)).statusCode, 503);
    tls = own;
    assert.equal((await answerTo(front.port)).statusCode, 200);
  });

  // Bytes that a backend answers with, and how the client learns that they are no answer.
  for (const [name, bytes, outcome] of [
    ["closes the connection without an answer", "", "refused"],
    ["answers something that is not HTTP", "SSH-2.0-OpenSSH\r\n", "refused"],
    ["sends headers beyond any measure", `HTTP/1.1 200 OK\r\nX-Big: ${"x".repeat(2 * 1024 * 1024)}\r\n\r\n`, "refused"],
    ["changes the protocol without having been asked", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "refused"],
    [
      "changes to a protocol without having been asked",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      "refused",
    ],
    ["sends less than it has promised", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "broken off"],
    ["ends in the middle of a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "broken off"],
    [
      "sends a chunk of no length",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n",
      "broken off",
    ],
    ["ends before the last chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "broken off"],
    ["sends more than it has promised", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", "abc"],
    ["sends one header twice", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nETag: a\r\nETag: b\r\n\r\nx", "x"],
    [
      "sends a header of every name",
      "HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\nContent-Length: 1\r\n\r\nx",
      "x",
    ],
  ] as const) {
    it(`survives a backend that ${name}`, async () => {
      const server = createTcpServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.end(bytes));
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const backend = { scheme: "http", host: "127.0.0.1", port: (server.address() as { port: number }).port } as const;
      await using front = await startFront(backend, certificates);
      const response = await answerTo(front.port);
      using session = openHttp2(front.port);
      const stream = session.request({ ":path": "/" });
      const status = once(stream, "response").then(([headers]) => headers[":status"] as number);
      if (outcome === "refused") {
        assert.equal(response.statusCode, 503);
        assert.equal(await status, 503);
      } else if (outcome === "broken off") {
        await assert.rejects(textOf(response), { code: "ECONNRESET" });
        await assert.rejects(textOf(stream), { code: "ERR_HTTP2_STREAM_ERROR" });
      } else {
        assert.equal(await textOf(response), outcome);
        assert.equal(await textOf(stream), outcome);
      }
      server.close();
    });
  }
});

/** Returns the session of a request over HTTP/2, which Node's types of HTTP/1.1 do not have. */
function sessionOf(request: object): { destroy(): void } {
  return (request as { stream: { session: { destroy(): void } } }).stream.session;
}

function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
