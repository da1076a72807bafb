import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { text as textOf } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { Http2Connection, noReceiver } from "@gatehouse/component-base/http2";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { Handler } from "../request/handler.js";
import { readBody } from "./body.js";
import { type Listener, listen } from "./listener.js";
import { sendText } from "./responder.js";

const hourMs = 60 * 60 * 1000;
const maxStreams = 3;

describe("A connection of HTTP/2", () => {
  let certificate: CertificateAndKey;
  const open: Listener[] = [];
  const sessions: ClientHttp2Session[] = [];
  before(async () => {
    const lifetime = { notBefore: new Date(Date.now() - hourMs), notAfter: new Date(Date.now() + hourMs) };
    const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...lifetime });
    const subject = { kind: "server", commonName: "s", dnsNames: ["localhost"], ipAddresses: [] } as const;
    certificate = await issueCertificate({ subject, issuer, ...lifetime });
  });
  after(async () => {
    for (const session of sessions) {
      session.destroy();
    }
    await Promise.all(open.map((listener) => listener.close(0)));
  });

  async function start(handler: Handler, http2MaxStreamsPerConnection = maxStreams): Promise<Listener> {
    const listener = await listen({
      host: "127.0.0.1",
      port: 0,
      secureContext: { cert: certificate.certificatePem, key: certificate.keyPem },
      requestClientCertificate: false,
      http2MaxStreamsPerConnection,
      handler,
      onError: (error) => assert.ifError(error),
    });
    open.push(listener);
    return listener;
  }

  async function connectTo(handler: Handler): Promise<ClientHttp2Session> {
    const listener = await start(handler);
    const session = connect(`https://localhost:${listener.port}`, { rejectUnauthorized: false });
    session.on("error", () => {});
    sessions.push(session);
    await once(session, "remoteSettings");
    return session;
  }

  /** Opens a stream and resets it when the server has seen it. */
  async function openAndReset(session: ClientHttp2Session): Promise<void> {
    const stream = session.request({ ":path": "/" });
    stream.on("error", () => {});
    await new Promise((resolve) => session.ping(resolve));
    stream.close(constants.NGHTTP2_CANCEL);
    await once(stream, "close");
  }

  test("tells clients how many streams they may have open", async () => {
    const session = await connectTo((context) => sendText(context, 200, "ok"));
    assert.equal(session.remoteSettings.maxConcurrentStreams, maxStreams);
  });

  test("works on as many requests as streams may be open, those counted that were reset, then on those that wait", async () => {
    let started = 0;
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const session = await connectTo((context) => {
      started++;
      return context.exchange.target === "/last" ? sendText(context, 200, "ok") : finished;
    });
    for (let count = 0; count < maxStreams + 2; count++) {
      await openAndReset(session);
    }
    const last = session.request({ ":path": "/last" });
    await new Promise((resolve) => session.ping(resolve));
    assert.equal(started, maxStreams);
    finish();
    const [headers] = await once(last.resume(), "response");
    assert.equal(headers[":status"], 200);
    assert.equal(started, maxStreams + 1, "what was reset while it waited is not begun");
  });

  test("ends with ENHANCE_YOUR_CALM when a client goes on resetting what the server still works on", async () => {
    let started = 0;
    const session = await connectTo(() => {
      started++;
      return new Promise(() => {});
    });
    const goaway = once(session, "goaway");
    let opened = 0;
    while (!session.closed && !session.destroyed && opened < 100) {
      opened++;
      await Promise.race([openAndReset(session).catch(() => {}), goaway]);
    }
    assert.deepEqual((await goaway)[0], constants.NGHTTP2_ENHANCE_YOUR_CALM);
    assert.equal(started, maxStreams);
    assert.ok(opened <= 5 * maxStreams + 3, `${opened} streams`);
  });

  test("begins nothing for a client that leaves too much unread, until it reads", async () => {
    let release = (): void => {};
    const session = await connectTo((context) => {
      if (context.exchange.target === "/large") {
        release = context.exchange.connection.hold(64 * 1024 * 1024);
      }
      sendText(context, 200, "ok");
    });
    await once(session.request({ ":path": "/large" }).resume(), "close");
    let answered = false;
    const next = session.request({ ":path": "/next" }).resume();
    next.once("response", () => {
      answered = true;
    });
    await new Promise((resolve) => session.ping(resolve));
    assert.equal(answered, false);
    release();
    await once(next, "close");
    assert.equal(answered, true);
  });

  test("begins nothing for a client that does not read the heads of its answers, until it does", async () => {
    let started = 0;
    const large = "x".repeat(500_000);
    const requests = 100;
    const listener = await start(({ exchange }) => {
      started++;
      exchange.send(200, ["X-Large", large]);
    }, requests);
    const socket = connectTls({ port: listener.port, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
    await once(socket, "secureConnect");
    let answered = 0;
    const client = new Http2Connection(socket, {
      listener: { onClose() {} },
      limits: { streamWindow: 65_535, connectionWindow: 65_535, maxListBytes: 1_000_000 },
    });
    socket.pause();
    const all = new Promise<void>((resolve) => {
      const receiver = { ...noReceiver, onHead: () => void (++answered === requests && resolve()) };
      for (let count = 0; count < requests; count++) {
        client.request([":method", "GET", ":scheme", "https", ":path", "/", ":authority", "a"], true, receiver);
      }
    });
    const other = connect(`https://localhost:${listener.port}`, { rejectUnauthorized: false });
    sessions.push(other);
    await new Promise((resolve) => other.ping(resolve));
    // What the kernel's buffers take, and a little more, is begun, however long the client waits.
    for (let before = -1; before !== started; ) {
      before = started;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(started < requests, `${started} of ${requests} requests`);
    socket.resume();
    await all;
    client.destroy();
  });

  test("asks a client that waits for it to send its body, when the body is wanted", async () => {
    const session = await connectTo(async (context) => {
      if (context.exchange.target === "/refused") {
        return sendText(context, 403, "no");
      }
      sendText(context, 200, String(await readBody(context)));
    });
    for (const [path, outcome] of [
      ["/wanted", { continues: 1, status: 200, text: "body" }],
      ["/refused", { continues: 0, status: 403, text: "no" }],
    ] as const) {
      const stream = session.request({ ":path": path, ":method": "POST", expect: "100-continue" });
      let continues = 0;
      stream.once("continue", () => {
        continues++;
        stream.end("body");
      });
      const [[headers], text] = await Promise.all([once(stream, "response"), textOf(stream)]);
      assert.deepEqual({ continues, status: headers[":status"], text }, outcome);
    }
  });

  test("keeps the body of a request until it is read, and the client from sending more than its window", async () => {
    let read = (): void => {};
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const session = await connectTo(async (context) => {
      const { body } = context.exchange;
      await mayRead;
      let bytes = 0;
      for await (const piece of body) {
        bytes += (piece as Buffer).length;
      }
      sendText(context, 200, String(bytes));
    });
    const stream = session.request({ ":path": "/", ":method": "POST" });
    const bytes = 3_000_000;
    stream.end(Buffer.alloc(bytes));
    let isSent = false;
    stream.once("finish", () => {
      isSent = true;
    });
    await new Promise((resolve) => session.ping(resolve));
    await new Promise((resolve) => session.ping(resolve));
    assert.equal(isSent, false);
    read();
    assert.equal(await textOf(stream), String(bytes));
  });

  test("has what reads a body fail when the client resets the request", async () => {
    const outcome = new EventEmitter();
    const session = await connectTo(async (context) => {
      outcome.emit("begun");
      await readBody(context).then(
        () => outcome.emit("end", "read"),
        (error: Error) => outcome.emit("end", error.name),
      );
    });
    const stream = session.request({ ":path": "/", ":method": "POST" });
    stream.on("error", () => {});
    stream.write("part");
    await once(outcome, "begun");
    stream.destroy(new Error("not needed any more"));
    assert.deepEqual(await once(outcome, "end"), ["ClientGoneError"]);
  });

  test("tells the exchange of its end when the sender of the answer has gone on", async () => {
    const order: string[] = [];
    const session = await connectTo(async (context) => {
      const { exchange } = context;
      sendText(context, 200, "ok");
      exchange.whenClosed(() => order.push("closed"));
      order.push(`sent, ${exchange.isClosed ? "closed" : "open"}`);
      await new Promise((resolve) => process.nextTick(resolve));
      order.push("next tick");
    });
    const stream = session.request({ ":path": "/" });
    assert.equal(await textOf(stream), "ok");
    await new Promise((resolve) => session.ping(resolve));
    assert.deepEqual(order, ["sent, open", "next tick", "closed"]);
  });

  test("breaks off an answer whose headers cannot be sent, and goes on", async () => {
    const session = await connectTo((context) => {
      const { exchange } = context;
      if (exchange.target === "/bad") {
        exchange.send(200, ["X-Bad", "a\r\nSet-Cookie: b"]);
        return;
      }
      sendText(context, 200, "ok");
    });
    const bad = session.request({ ":path": "/bad" });
    await assert.rejects(textOf(bad), { code: "ERR_HTTP2_STREAM_ERROR" });
    assert.equal(await textOf(session.request({ ":path": "/" })), "ok");
  });
});
