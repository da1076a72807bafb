import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "../kubeconfig/client-config.js";
import { ensureCertificate } from "../pki/ensure-certificate.js";
import { createHttpClient } from "./http-client.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-http-client-"));
after(() => rmSync(folder, { recursive: true }));
const signal = new AbortController().signal;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function withServer(handler: Handler, use: (url: URL) => Promise<void>): Promise<void> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const plain = (server: URL): ClientConfig => ({ server, insecureSkipTlsVerify: false });

test("a client certificate, the authority and the server name of the config are used", async () => {
  const files = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });
  const ca = await ensureCertificate({ subject: { kind: "authority", commonName: "ca" }, ...files("ca") });
  const serving = await ensureCertificate({
    subject: { kind: "server", commonName: "s", dnsNames: ["hook.svc"], ipAddresses: [] },
    issuer: ca,
    ...files("server"),
  });
  const clientCertificate = await ensureCertificate({
    subject: { kind: "client", user: "apiserver", groups: [] },
    issuer: ca,
    ...files("client"),
  });
  const server = createHttpsServer(
    { cert: serving.certificatePem, key: serving.keyPem, ca: ca.certificatePem, requestCert: true },
    (request, response) => {
      const socket = request.socket as import("node:tls").TLSSocket;
      response.end(JSON.stringify({ user: socket.getPeerCertificate().subject.CN, url: request.url }));
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/base/`);
  try {
    const config: ClientConfig = {
      server: url,
      certificateAuthorityPem: ca.certificatePem,
      clientCertificate,
      insecureSkipTlsVerify: false,
    };
    using client = createHttpClient({ config: { ...config, tlsServerName: "hook.svc" } });
    for (let round = 0; round < 2; round++) {
      const { status, body } = await client.requestJson({ path: "/mutate?timeout=5s", signal, timeoutMs: 5000 });
      assert.equal(status, 200);
      assert.deepEqual(body, { user: "apiserver", url: "/base/mutate?timeout=5s" });
    }
    using wrongName = createHttpClient({ config });
    await assert.rejects(wrongName.request({ signal, timeoutMs: 5000 }), { failure: "connection" });
    for (const [what, certificateAuthorityPem] of [
      ["a block of another type", ca.certificatePem.replaceAll("CERTIFICATE", "X509 CERTIFICATE")],
      ["a block with a header", ca.certificatePem.replace("-----\n", "-----\nName: value\n\n")],
      ["an empty text", ""],
    ] as const) {
      using untrusting = createHttpClient({
        config: { ...config, certificateAuthorityPem, tlsServerName: "hook.svc" },
      });
      const refused = untrusting.request({ signal, timeoutMs: 5000 });
      await assert.rejects(refused, { failure: "connection" }, `${what} is no authority, as for v1.29`);
    }
    using stranger = createHttpClient({
      config: { server: url, tlsServerName: "hook.svc", insecureSkipTlsVerify: false },
    });
    await assert.rejects(stranger.request({ signal, timeoutMs: 5000 }), { failure: "connection" });
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test("JSON goes out and comes back, and an error status is an answer", async () => {
  await withServer(
    async (request, response) => {
      let text = "";
      for await (const chunk of request) {
        text += chunk;
      }
      response.statusCode = 403;
      response.end(JSON.stringify({ ...request.headers, text, method: request.method }));
    },
    async (server) => {
      using client = createHttpClient({
        config: { ...plain(server), authorization: { kind: "token", token: "abc" } },
        userAgent: "gatehouse/test",
      });
      const { status, body } = await client.requestJson({ method: "POST", body: { é: 1 }, signal, timeoutMs: 5000 });
      assert.equal(status, 403);
      const echoed = body as Record<string, unknown>;
      assert.equal(echoed["text"], '{"é":1}');
      assert.equal(echoed["method"], "POST");
      assert.equal(echoed["content-type"], "application/json");
      assert.equal(echoed["content-length"], "8");
      assert.equal(echoed["authorization"], "Bearer abc");
      assert.equal(echoed["user-agent"], "gatehouse/test");
    },
  );
});

test("a token file is read", async () => {
  writeFileSync(join(folder, "token"), "from-file\n");
  await withServer(
    (request, response) => response.end(JSON.stringify(request.headers.authorization)),
    async (server) => {
      const config = plain(server);
      const path = join(folder, "token");
      using client = createHttpClient({ config: { ...config, authorization: { kind: "tokenFile", path } } });
      assert.equal((await client.requestJson({ signal, timeoutMs: 5000 })).body, "Bearer from-file");
      const missing = join(folder, "none");
      using lost = createHttpClient({ config: { ...config, authorization: { kind: "tokenFile", path: missing } } });
      await assert.rejects(lost.request({ signal, timeoutMs: 5000 }), { message: "the token file cannot be read" });
    },
  );
});

test("connections are kept, and a kept one that the server closed does not fail a read", async () => {
  const connections = new Set<unknown>();
  let requests = 0;
  await withServer(
    (request, response) => {
      requests++;
      connections.add(request.socket);
      if (requests === 3) {
        request.socket.resetAndDestroy();
        return;
      }
      response.end("{}");
    },
    async (server) => {
      using client = createHttpClient({ config: plain(server) });
      for (let round = 0; round < 3; round++) {
        assert.equal((await client.request({ signal, timeoutMs: 5000 })).status, 200);
      }
      assert.equal(requests, 4);
      assert.equal(connections.size, 2);
      requests = 2;
      await assert.rejects(client.request({ method: "POST", signal, timeoutMs: 5000 }), { failure: "connection" });
      assert.equal(requests, 3, "a request that may change something is not repeated");
    },
  );
});

test("every way in which no answer comes has its name", async () => {
  await withServer(
    async (request, response) => {
      if (request.url === "/slow") {
        await sleep(200, undefined, { ref: false });
      }
      if (request.url === "/stall") {
        response.write("a");
        return;
      }
      if (request.url === "/stream") {
        response.write("0123456789");
      }
      response.end("0123456789");
    },
    async (server) => {
      using client = createHttpClient({ config: plain(server) });
      const failure = async (path: string, options: object = {}) => {
        const error: unknown = await client.requestJson({ path, signal, timeoutMs: 5000, ...options }).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        return error instanceof Error && "failure" in error ? `${error.failure}: ${error.message}` : error;
      };
      assert.equal(await failure("/slow", { timeoutMs: 20 }), "timeout: no response within 20 ms");
      assert.equal(await failure("/stall", { timeoutMs: 20 }), "timeout: no response within 20 ms");
      assert.equal(await failure("/slow", { signal: AbortSignal.timeout(20) }), "aborted: the request was aborted");
      assert.equal(await failure("/", { signal: AbortSignal.abort() }), "aborted: the request was aborted");
      const tooLarge = "too-large: the response body is larger than 9 bytes";
      assert.equal(await failure("/", { maxResponseBytes: 9 }), tooLarge);
      assert.equal(await failure("/stream", { maxResponseBytes: 9 }), tooLarge);
      assert.equal(await failure("/stream"), "protocol: the response (HTTP 200) is not JSON");
      await assert.rejects(client.request({ path: "no-slash", signal, timeoutMs: 5000 }), TypeError);
    },
  );
  using nobody = createHttpClient({ config: plain(new URL("http://127.0.0.1:1")) });
  await assert.rejects(nobody.request({ signal, timeoutMs: 5000 }), { failure: "connection" });
});
