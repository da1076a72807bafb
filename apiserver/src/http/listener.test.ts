import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { Handler } from "../request/handler.js";
import { openAnswer } from "./answer.js";
import { type Listener, listen } from "./listener.js";
import { sendText } from "./responder.js";

const hourMs = 60 * 60 * 1000;

describe("The secure port", () => {
  let certificate: CertificateAndKey;
  let issuer: CertificateAndKey;
  let client: CertificateAndKey;
  const open: Listener[] = [];
  before(async () => {
    const lifetime = { notBefore: new Date(Date.now() - hourMs), notAfter: new Date(Date.now() + hourMs) };
    issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...lifetime });
    const subject = { kind: "server", commonName: "s", dnsNames: ["localhost"], ipAddresses: [] } as const;
    certificate = await issueCertificate({ subject, issuer, ...lifetime });
    client = await issueCertificate({ subject: { kind: "client", user: "jane", groups: [] }, issuer, ...lifetime });
  });
  after(() => Promise.all(open.map((listener) => listener.close(0))));

  async function start(handler: Handler, idleTimeoutMs: number): Promise<{ listener: Listener; errors: Error[] }> {
    const errors: Error[] = [];
    const listener = await listen({
      host: "127.0.0.1",
      port: 0,
      secureContext: { cert: certificate.certificatePem, key: certificate.keyPem, ca: issuer.certificatePem },
      requestClientCertificate: true,
      http2MaxStreamsPerConnection: 0,
      handler,
      onError: (error) => errors.push(error),
      idleTimeoutMs,
    });
    open.push(listener);
    return { listener, errors };
  }

  const ok: Handler = (context) => {
    sendText(context, 200, "ok");
  };

  /** The status lines and the text that a raw request of HTTP/1 is answered with, until the server closes the connection. */
  async function answersTo(port: number, text: string, more: ConnectionOptions = {}): Promise<string> {
    const insecure = { port, host: "localhost", rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] };
    const socket = connectTls({ ...insecure, ...more });
    socket.once("error", () => {});
    socket.write(text);
    let answer = "";
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    await once(socket, "close");
    return answer;
  }

  // Status and text are those of v1.29, except for HTTP/1.0: there v1.29 passes over the header and finds no body.
  for (const [name, header, status, version = "1.1"] of [
    ["chunked", "Transfer-Encoding: chunked", 200],
    ["Chunked", "Transfer-Encoding: Chunked", 200],
    ["gzip, chunked", "Transfer-Encoding: gzip, chunked", 501],
    ["identity, chunked", "Transfer-Encoding: identity, chunked", 501],
    ["a comma and chunked", "Transfer-Encoding: , chunked", 501],
    ["chunked and a comma", "Transfer-Encoding: chunked,", 501],
    ["chunked, chunked", "Transfer-Encoding: chunked, chunked", 501],
    ["chunked in two headers", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 501],
    ["identity, then chunked in a second header", "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", 501],
    ["chunked, then identity", "Transfer-Encoding: chunked, identity", 501],
    ["identity", "Transfer-Encoding: identity", 501],
    ["an empty one with a length", "Transfer-Encoding: \r\nContent-Length: 13", 501],
    ["chunked behind a length", "Content-Length: 13\r\nTransfer-Encoding: chunked", 400],
    ["chunked before a length", "Transfer-Encoding: chunked\r\nContent-Length: 13", 400],
    ["chunked in HTTP/1.0", "Transfer-Encoding: chunked", 400, "1.0"],
    ["gzip, chunked in HTTP/1.0", "Transfer-Encoding: gzip, chunked", 400, "1.0"],
  ] as const) {
    test(`answers ${status} to a body in the transfer encoding ${name}`, async () => {
      const { listener } = await start(ok, 60_000);
      const head = `POST / HTTP/${version}\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`;
      const answer = await answersTo(listener.port, `${head}3\r\nabc\r\n0\r\n\r\n`);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
      if (status === 501) {
        assert.ok(answer.endsWith("\r\n\r\nUnsupported transfer encoding"), answer);
      }
    });
  }

  for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
    test(`answers a client whose certificate has a wrong signature, on a connection that stays (${maxVersion})`, async () => {
      const { listener } = await start(ok, hourMs);
      const { raw } = new X509Certificate(client.certificatePem);
      raw.writeUInt8(raw.readUInt8(raw.length - 1) ^ 1, raw.length - 1);
      const cert = `-----BEGIN CERTIFICATE-----\n${raw.toString("base64")}\n-----END CERTIFICATE-----\n`;
      const requests = ["keep-alive", "close"].map((use) => `GET / HTTP/1.1\r\nHost: x\r\nConnection: ${use}\r\n\r\n`);
      const answers = await answersTo(listener.port, requests.join(""), { cert, key: client.keyPem, maxVersion });
      assert.equal(answers.match(/HTTP\/1.1 200 OK/g)?.length, 2);
    });
  }

  test("closes an HTTP/2 connection that is not used, and none with something open", async () => {
    let finish = (): void => {};
    const { listener } = await start((context) => {
      finish = () => context.exchange.end();
      void openAnswer(context, 200, {});
    }, 500);
    const session = connectHttp2(`https://localhost:${listener.port}`, { rejectUnauthorized: false });
    const stream = session.request({ ":path": "/" });
    stream.resume();
    await once(stream, "response");
    await new Promise((resolve) => setTimeout(resolve, 1200));
    assert.equal(session.closed, false);
    finish();
    await once(session, "close");
  });

  test("closes an HTTP/1.1 connection that is not used any more", async () => {
    const { listener } = await start(ok, 100);
    const socket = connectTls({ port: listener.port, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    socket.resume();
    await once(socket, "close");
  });

  test("closes the connection of a client that ends its side before TLS is agreed on", async () => {
    const { listener } = await start(ok, hourMs);
    const socket = connect({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true }).resume();
    socket.end();
    await once(socket, "end");
    socket.destroy();
  });

  test("leaves the next request of a client of HTTP/1.1 unread until it is told to read again", async () => {
    const handled: string[] = [];
    let readAgain: (() => void) | undefined;
    const { listener } = await start((context) => {
      const { exchange } = context;
      handled.push(exchange.target);
      if (exchange.target === "/first") {
        exchange.whenClosed(() => {
          readAgain = exchange.stopReading();
        });
      }
      return ok(context);
    }, hourMs);
    const open = () => connectTls({ port: listener.port, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    const ask = async (socket: ReturnType<typeof open>, path: string): Promise<void> => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await once(socket, "data");
    };
    const stopped = open();
    await ask(stopped, "/first");
    const second = ask(stopped, "/second");
    const other = open();
    for (const path of ["/other/1", "/other/2", "/other/3"]) {
      await ask(other, path);
    }
    assert.deepEqual(handled, ["/first", "/other/1", "/other/2", "/other/3"]);
    readAgain?.();
    await second;
    assert.equal(handled.at(-1), "/second");
  });

  test("goes on when a connection cannot be accepted", async () => {
    const { listener, errors } = await start(ok, hourMs);
    listener.server.emit("error", new Error("accept EMFILE"));
    assert.deepEqual(errors.map(String), ["Error: accept EMFILE"]);
    const session = connectHttp2(`https://localhost:${listener.port}`, { rejectUnauthorized: false });
    const [headers] = await once(session.request({ ":path": "/" }).resume(), "response");
    assert.equal(headers[":status"], 200);
    session.close();
  });

  test("a handler that throws costs its request only", async () => {
    const { listener } = await start((context) => {
      if (context.exchange.target === "/bad") {
        throw new Error("no");
      }
      return context.exchange.target === "/late" ? Promise.reject(new Error("no")) : ok(context);
    }, hourMs);
    const session = connectHttp2(`https://localhost:${listener.port}`, { rejectUnauthorized: false });
    for (const path of ["/bad", "/late"]) {
      await assert.rejects(once(session.request({ ":path": path }), "close"), /NGHTTP2_INTERNAL_ERROR/);
    }
    const [headers] = await once(session.request({ ":path": "/" }).resume(), "response");
    assert.equal(headers[":status"], 200);
    session.close();
  });
});
