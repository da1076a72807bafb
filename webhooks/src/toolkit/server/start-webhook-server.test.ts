import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { Agent, type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import type { ReviewEndpoint } from "./review-endpoint.js";
import { type RunningWebhookServer, startWebhookServer, type WebhookServerOptions } from "./start-webhook-server.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-webhooks-"));
after(() => rm(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);
const pair = (name: string) => ({ certFile: file(`${name}.crt`), keyFile: file(`${name}.key`) });

const ca = await ensureCertificate({ subject: { kind: "authority", commonName: "ca" }, ...pair("ca") });
const otherCa = await ensureCertificate({ subject: { kind: "authority", commonName: "other" }, ...pair("other-ca") });
const server = { kind: "server" as const, commonName: "hooks", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
await ensureCertificate({ subject: server, issuer: ca, ...pair("server") });
await ensureCertificate({ subject: { ...server, commonName: "second" }, issuer: ca, ...pair("second") });
const client = { kind: "client" as const, user: "kube-apiserver", groups: [] };
const caller = await ensureCertificate({ subject: client, issuer: ca, ...pair("client") });
const stranger = await ensureCertificate({ subject: client, issuer: otherCa, ...pair("stranger") });

let release: (() => void) | undefined;
const endpoints: readonly ReviewEndpoint[] = [
  { path: "/allow", name: "allow", answer: () => ({ body: { ok: true }, outcome: "allowed" }) },
  {
    path: "/slow",
    name: "slow",
    answer: () =>
      new Promise((resolve) => {
        release = () => resolve({ body: { ok: true }, outcome: "allowed" });
      }),
  },
];

function start(options: Partial<WebhookServerOptions> = {}): Promise<RunningWebhookServer> {
  const tls = { ...pair("server"), clientCaFile: file("ca.crt") };
  return startWebhookServer({ endpoints, tls, host: "127.0.0.1", port: 0, ...options });
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly serverName: string;
}

function call(port: number, path: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, path, ca: ca.certificatePem, agent: false, ...options },
      (response) => {
        const { socket } = response as unknown as { socket: import("node:tls").TLSSocket };
        const serverName = String(socket.getPeerCertificate().subject.CN);
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body, serverName }));
      },
    );
    sent.on("error", reject);
    sent.setHeader("Content-Type", "application/json");
    sent.end(options.method === "POST" ? "{}" : undefined);
  });
}

const credentials = { cert: caller.certificatePem, key: caller.keyPem, method: "POST" };

test("reviews need a client certificate of the authority that was named", async () => {
  const running = await start();
  try {
    assert.deepEqual(await call(running.port, "/allow", credentials), {
      status: 200,
      body: '{"ok":true}',
      serverName: "hooks",
    });
    const without = await call(running.port, "/allow", { method: "POST" });
    assert.equal(without.status, 401);
    const foreign = { cert: stranger.certificatePem, key: stranger.keyPem, method: "POST" };
    const refused = await call(running.port, "/allow", foreign);
    assert.equal(JSON.parse(refused.body).message, "Unauthorized: the certificate is signed by an unknown authority");
  } finally {
    await running.stop();
  }
});

test("health is for everybody, metrics are for callers, and anything else is not there", async () => {
  const running = await start();
  try {
    assert.equal((await call(running.port, "/livez")).body, "ok");
    assert.equal(
      (await call(running.port, "/readyz?verbose")).body,
      "[+]ping ok\n[+]shutdown ok\nreadyz check passed\n",
    );
    assert.equal((await call(running.port, "/metrics")).status, 401);
    await call(running.port, "/allow", credentials);
    const metrics = await call(running.port, "/metrics", { ...credentials, method: "GET" });
    assert.match(metrics.body, /gatehouse_webhook_reviews_total\{hook="allow",outcome="allowed"\} 1/);
    assert.match(metrics.body, /process_cpu_seconds_total/);
    const accept = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=compact-text";
    const messages = await call(running.port, "/metrics", {
      ...credentials,
      method: "GET",
      headers: { accept },
    });
    assert.match(
      messages.body,
      /^name:"gatehouse_webhook_reviews_total" .*label:\{name:"hook" value:"allow"\} .*counter:\{value:1\}/m,
    );
    assert.equal((await call(running.port, "/nowhere")).status, 404);
  } finally {
    await running.stop();
  }
});

test("a body in a transfer encoding other than chunked is refused, as API servers refuse it", async () => {
  const running = await start();
  try {
    const sent = (encoding: string) =>
      call(running.port, "/allow", { ...credentials, headers: { "Transfer-Encoding": encoding } });
    assert.equal((await sent("chunked")).status, 200);
    assert.equal((await sent("gzip, chunked")).status, 501);
    assert.equal((await sent("identity, chunked")).status, 501);
  } finally {
    await running.stop();
  }
});

test("a new serving certificate is served without a restart", async () => {
  const tls = { ...pair("served"), clientCaFile: file("ca.crt") };
  await copyFile(pair("server").certFile, tls.certFile);
  await copyFile(pair("server").keyFile, tls.keyFile);
  const running = await start({ tls, tlsPollIntervalMs: 20 });
  try {
    assert.equal((await call(running.port, "/allow", credentials)).serverName, "hooks");
    await copyFile(pair("second").keyFile, tls.keyFile);
    await copyFile(pair("second").certFile, tls.certFile);
    const servedName = async () => (await call(running.port, "/allow", credentials)).serverName;
    for (const end = performance.now() + 60_000; (await servedName()) !== "second"; ) {
      assert.ok(performance.now() < end, "the new certificate is not served");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    await running.stop();
  }
});

test("a server that stops answers what is under way, on connections that it then closes", async () => {
  const running = await start();
  const agent = new Agent({ keepAlive: true });
  const slow = call(running.port, "/slow", { ...credentials, agent });
  await new Promise<void>((resolve) => {
    const look = setInterval(() => {
      if (release !== undefined) {
        clearInterval(look);
        resolve();
      }
    }, 5);
  });
  const stopped = running.stop();
  await assert.rejects(call(running.port, "/allow", credentials), /ECONNREFUSED/);
  release?.();
  assert.equal((await slow).status, 200);
  await stopped;
  agent.destroy();
});

test("at the deadline of a stop connections are cut", async () => {
  const running = await start();
  const slow = call(running.port, "/slow", credentials).catch((error: Error) => error);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await running.stop(AbortSignal.timeout(20));
  assert.ok((await slow) instanceof Error);
});

test("a server that nothing protects does not start", async () => {
  await assert.rejects(start({ tls: pair("server") }), (error: Error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.equal(
      error.message,
      "webhook server: callers: nothing says who may call: give a client CA file, bearer tokens, or ask for any caller",
    );
    return true;
  });
});
