import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import type { ClientConfig } from "../kubeconfig/client-config.js";
import { issueCertificate } from "../pki/issue-certificate.js";
import { createHttpClient } from "./http-client.js";
import { createHttpClientPool } from "./http-client-pool.js";
import type { HttpRequest } from "./http-request.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-connections-"));
after(() => rmSync(folder, { recursive: true }));
const signal = new AbortController().signal;
const asked: HttpRequest = { signal, timeoutMs: 10_000 };

const now = Date.now();
const validity = { notBefore: new Date(now - 3_600_000), notAfter: new Date(now + 3_600_000) };
const ca = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
const serving = await issueCertificate({
  subject: { kind: "server", commonName: "s", dnsNames: ["hook.ns.svc"], ipAddresses: ["127.0.0.1"] },
  issuer: ca,
  ...validity,
});
const client = (user: string) =>
  issueCertificate({ subject: { kind: "client", user, groups: [] }, issuer: ca, ...validity });

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const https = (handler: Handler) =>
  createHttpsServer(
    {
      cert: serving.certificatePem,
      key: serving.keyPem,
      ca: ca.certificatePem,
      requestCert: true,
      rejectUnauthorized: false,
    },
    handler,
  );

async function withServer(server: Server, use: (port: number, connections: ReadonlySet<Socket>) => Promise<void>) {
  const open = new Set<Socket>();
  const seen = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    seen.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use((server.address() as AddressInfo).port, seen);
  } finally {
    server.close();
    for (const socket of open) {
      socket.destroy();
    }
  }
}

const toHook = (port: number): ClientConfig => ({
  server: new URL(`https://127.0.0.1:${port}/base`),
  certificateAuthorityPem: ca.certificatePem,
  insecureSkipTlsVerify: false,
});

describe("Connections of a client", () => {
  test("go where they are told, while the server keeps its name", async () => {
    const tell: Handler = (request, response) => {
      response.end(
        JSON.stringify([request.headers.host, (request.socket as TLSSocket & { servername: unknown }).servername]),
      );
    };
    await withServer(https(tell), async (port) => {
      using caller = createHttpClient({
        config: { ...toHook(port), server: new URL("https://hook.ns.svc:444/") },
        dialAddresses: async () => [
          { host: "127.0.0.1", port: 1 },
          { host: "127.0.0.1", port },
        ],
      });
      assert.deepEqual((await caller.requestJson(asked)).body, ["hook.ns.svc:444", "hook.ns.svc"]);
      const named = await caller.requestJson({ ...asked, headers: { host: "hook.ns.svc:443" } });
      assert.deepEqual(named.body, ["hook.ns.svc:443", "hook.ns.svc"]);
    });
  });

  test("are opened anew with a new certificate, while calls that are under way keep theirs", async () => {
    const [first, second] = [await client("first"), await client("second")];
    const [certFile, keyFile] = [join(folder, "client.crt"), join(folder, "client.key")];
    writeFileSync(certFile, first.certificatePem);
    writeFileSync(keyFile, first.keyPem);
    const held: (() => void)[] = [];
    const tell: Handler = (request, response) => {
      const answer = () => response.end(JSON.stringify((request.socket as TLSSocket).getPeerCertificate().subject.CN));
      if (request.url === "/base/held") {
        held.push(answer);
        return;
      }
      answer();
    };
    await withServer(https(tell), async (port, connections) => {
      using caller = createHttpClient({
        config: { ...toHook(port), clientCertificate: first, clientCertificateFiles: { certFile, keyFile } },
        credentials: { fileCheckIntervalMs: 0 },
      });
      const ask = async (path = "/") => (await caller.requestJson({ ...asked, path })).body;
      assert.deepEqual(await Promise.all([ask(), ask()]), ["first", "first"]);
      const pending = ask("/held");
      for (const end = performance.now() + 60_000; held.length === 0; ) {
        assert.ok(performance.now() < end, "the call does not arrive");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      writeFileSync(certFile, second.certificatePem);
      assert.equal(await ask(), "first", "the key is not there yet");
      writeFileSync(keyFile, second.keyPem);
      assert.equal(await ask(), "second");
      held[0]?.();
      assert.equal(await pending, "first");
      const [idle] = connections;
      if (idle?.destroyed === false) {
        await once(idle, "close");
      }
      assert.equal(connections.size, 3);
      assert.equal(await ask(), "second");
      assert.equal(connections.size, 3);
    });
  });

  test("are no more than allowed; further calls wait in their order, and beyond a bound fail at once", async () => {
    let [current, most] = [0, 0];
    const slow: Handler = (_, response) => {
      most = Math.max(most, ++current);
      setTimeout(() => {
        current--;
        response.end("{}");
      }, 5);
    };
    await withServer(https(slow), async (port, connections) => {
      using caller = createHttpClient({ config: toHook(port), maxConnections: 3, maxWaiting: 20 });
      const calls = Array.from({ length: 23 }, () => caller.request(asked));
      await assert.rejects(caller.request(asked), {
        failure: "connection",
        message: "too many calls wait for a connection",
      });
      await Promise.all(calls);
      assert.ok(most <= 3, `${most} at a time`);
      assert.equal(connections.size, 3);
      const blocked = Array.from({ length: 3 }, () => caller.request(asked));
      await assert.rejects(caller.request({ ...asked, timeoutMs: 1 }), { failure: "timeout" });
      await Promise.all(blocked);
    });
  });

  test("outlive the client for as long as a call needs them", async () => {
    const slow: Handler = (_, response) => {
      setTimeout(() => response.end("{}"), 50);
    };
    await withServer(https(slow), async (port, connections) => {
      const caller = createHttpClient({ config: toHook(port) });
      const pending = caller.request(asked);
      caller[Symbol.dispose]();
      assert.equal((await pending).status, 200);
      await assert.rejects(caller.request(asked), { failure: "aborted", message: "the client is closed" });
      const [only] = connections;
      if (only?.destroyed === false) {
        await once(only, "close");
      }
    });
  });

  test("of a pool are shared by key, and closed where they were not used for longest", async () => {
    await withServer(
      https((_, response) => response.end("{}")),
      async (port, connections) => {
        using pool = createHttpClientPool({ maxClients: 2 });
        const options = { config: toHook(port) };
        const [a, b, c] = ["a", "b", "c"].map((key) => pool.caller(key, options));
        await b?.request(asked);
        await b?.request(asked);
        await pool.caller("b", options).request(asked);
        assert.equal(connections.size, 1);
        await c?.request(asked);
        await b?.request(asked);
        assert.equal(connections.size, 2);
        await a?.request(asked);
        await b?.request(asked);
        assert.equal(connections.size, 3);
        await c?.request(asked);
        assert.equal(connections.size, 4, "its connection was closed");
      },
    );
  });
});

describe("Answers", () => {
  test("come packed if the server likes, and are bounded by what they unpack to", async () => {
    const text = JSON.stringify("a".repeat(100_000));
    const packed: Handler = (request, response) => {
      if (request.headers["accept-encoding"] === undefined) {
        response.end('"plain"');
        return;
      }
      assert.equal(request.headers["accept-encoding"], "gzip");
      const body = gzipSync(text);
      response.setHeader("content-encoding", "gzip");
      response.end(request.url === "/base/cut" ? body.subarray(0, 50) : body);
    };
    await withServer(https(packed), async (port) => {
      using caller = createHttpClient({ config: toHook(port) });
      assert.equal((await caller.request(asked)).body.toString(), text);
      await assert.rejects(caller.request({ ...asked, maxResponseBytes: 99_999 }), { failure: "too-large" });
      await assert.rejects(caller.request({ ...asked, path: "/cut" }), { failure: "connection" });
      using plain = createHttpClient({ config: { ...toHook(port), disableCompression: true } });
      assert.equal((await plain.requestJson(asked)).body, "plain");
    });
  });

  test("that redirect are answers", async () => {
    const redirecting: Handler = (_, response) => {
      response.writeHead(307, { location: "https://elsewhere.example/" }).end();
    };
    await withServer(https(redirecting), async (port) => {
      using caller = createHttpClient({ config: toHook(port) });
      assert.equal((await caller.request(asked)).status, 307);
    });
  });

  test("of 401 make a credential plugin run again", async () => {
    let runs = 0;
    const moody: Handler = (request, response) => {
      response.statusCode = request.headers.authorization === "Bearer 2" ? 200 : 401;
      response.end(JSON.stringify(request.headers.authorization));
    };
    await withServer(https(moody), async (port) => {
      const apiVersion = "client.authentication.k8s.io/v1";
      using caller = createHttpClient({
        config: {
          ...toHook(port),
          exec: { apiVersion, command: "login", args: [], env: [], interactiveMode: "Never" },
        },
        credentials: {
          run: async () => JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token: `${++runs}` } }),
        },
      });
      const statuses: number[] = [];
      for (let call = 0; call < 3; call++) {
        statuses.push((await caller.request(asked)).status);
      }
      assert.deepEqual(statuses, [401, 200, 200]);
      assert.equal(runs, 2);
    });
  });
});

describe("A proxy", () => {
  /** A proxy that lets those through who say the password, and notes where to. */
  function proxy(tunnels: string[], plain: string[]): Server {
    const server = createHttpServer((request, response) => {
      plain.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      response.end("{}");
    });
    server.on("connect", (request: IncomingMessage, socket: Socket) => {
      tunnels.push(`${request.url}`);
      if (request.headers["proxy-authorization"] !== `Basic ${Buffer.from("me:p@ss").toString("base64")}`) {
        socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        return;
      }
      const { port } = new URL(`http://${request.url}`);
      const onwards = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(onwards).pipe(socket);
      });
      onwards.on("error", () => socket.destroy());
      socket.on("error", () => onwards.destroy());
    });
    return server;
  }

  test("is asked for a tunnel, through which the server is spoken to in TLS", async () => {
    const [tunnels, plain]: [string[], string[]] = [[], []];
    await withServer(
      https((_, response) => response.end('"behind"')),
      async (port) => {
        await withServer(proxy(tunnels, plain), async (proxyPort) => {
          const proxyUrl = new URL(`http://me:p%40ss@127.0.0.1:${proxyPort}`);
          using caller = createHttpClient({ config: { ...toHook(port), proxyUrl } });
          assert.equal((await caller.requestJson(asked)).body, "behind");
          assert.equal((await caller.requestJson(asked)).body, "behind");
          assert.deepEqual(tunnels, [`127.0.0.1:${port}`]);

          using stranger = createHttpClient({
            config: { ...toHook(port), proxyUrl: new URL(`http://127.0.0.1:${proxyPort}`) },
          });
          await assert.rejects(stranger.request(asked), {
            failure: "connection",
            message: "the proxy answered 407 Proxy Authentication Required",
          });

          using unencrypted = createHttpClient({
            config: { server: new URL("http://plain.example/x"), insecureSkipTlsVerify: false, proxyUrl },
          });
          assert.equal((await unencrypted.request({ ...asked, path: "/y?z" })).status, 200);
          assert.deepEqual(plain, ["http://plain.example/x/y?z Basic bWU6cEBzcw=="]);
        });
      },
    );
  });
});
