import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { after, before, describe, test } from "node:test";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { Handler } from "../request/handler.js";
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

  async function connectTo(handler: Handler): Promise<ClientHttp2Session> {
    const listener = await listen({
      host: "127.0.0.1",
      port: 0,
      secureContext: { cert: certificate.certificatePem, key: certificate.keyPem },
      requestClientCertificate: false,
      http2MaxStreamsPerConnection: maxStreams,
      handler,
      onError: (error) => assert.ifError(error),
    });
    open.push(listener);
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
});
