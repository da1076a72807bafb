import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { after, before, describe, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base";
import type { Handler } from "../request/handler.js";
import { openAnswer } from "./answer.js";
import { type Listener, listen } from "./listener.js";
import { sendText } from "./responder.js";

const hourMs = 60 * 60 * 1000;

describe("The secure port", () => {
  let certificate: CertificateAndKey;
  const open: Listener[] = [];
  before(async () => {
    const lifetime = { notBefore: new Date(Date.now() - hourMs), notAfter: new Date(Date.now() + hourMs) };
    const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...lifetime });
    const subject = { kind: "server", commonName: "s", dnsNames: ["localhost"], ipAddresses: [] } as const;
    certificate = await issueCertificate({ subject, issuer, ...lifetime });
  });
  after(() => Promise.all(open.map((listener) => listener.close(0))));

  async function start(handler: Handler, idleTimeoutMs: number): Promise<{ listener: Listener; errors: Error[] }> {
    const errors: Error[] = [];
    const listener = await listen({
      host: "127.0.0.1",
      port: 0,
      secureContext: { cert: certificate.certificatePem, key: certificate.keyPem },
      requestClientCertificate: false,
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
