import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect, type PeerCertificate } from "node:tls";
import { ensureCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane } from "@gatehouse/testing";
import { eventually } from "@gatehouse/testing/eventually";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { readRecording } from "./recorded-flags.js";

/** Flags whose default depends on the machine or belongs to what the test gives itself. */
const givenByTest =
  /^(?:help|version|bind-address|secure-port|cert-dir|tls-cert-file|tls-private-key-file|client-ca-file|etcd-.*|service-account-.*|authorization-mode|v)$/;

/** Every flag of v1.29 with its default, as far as that can be written. */
const allDefaults = readRecording()
  .flags.filter(({ name, type, default: value }) => {
    const isUnwritable =
      value === "<nil>" || (value === "[]" && /^(?:stringArray|stringToString|namedCertKey)$/.test(type ?? ""));
    return !isUnwritable && !givenByTest.test(name);
  })
  .map(({ name, default: value }) => `--${name}=${value.replace(/^\[(.*)\]$/, "$1")}`);

const folder = await mkdtemp(join(tmpdir(), "gatehouse-flags-"));
const [certFile, keyFile] = [join(folder, "named.crt"), join(folder, "named.key")];

describe("A server with every flag of v1.29 given, most with their default", () => {
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    server = await startTestServer({
      flags: [
        ...allDefaults,
        "--cors-allowed-origins=//a.example$",
        "--strict-transport-security-directives=max-age=100,preload",
        "--external-hostname=api.example:999",
        "--tls-min-version=VersionTLS12",
        "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "--kubernetes-service-node-port=30123",
      ],
      async flagsFor({ authority: issuer }) {
        const dnsNames = ["named.example", "*.named.example"];
        const subject = { kind: "server", commonName: "named.example", dnsNames, ipAddresses: [] } as const;
        await ensureCertificate({ subject, issuer, certFile, keyFile });
        return [`--tls-sni-cert-key=${certFile},${keyFile}`];
      },
    });
    client = createApiClient(server.clientConfig);
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  function handshake(options: { servername?: string; ciphers?: string; maxVersion?: "TLSv1.2" }): Promise<{
    readonly subject: PeerCertificate["subject"];
    readonly cipher: string;
  }> {
    const { hostname: host, port } = server.clientConfig.server;
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...options }, () => {
        resolve({ subject: socket.getPeerCertificate().subject, cipher: socket.getCipher().name });
        socket.destroy();
      });
      socket.on("error", reject);
    });
  }

  it("lets scripts of the origins that are allowed read answers, and answers their preflight requests", async () => {
    const allowed = await client.get("/version", { origin: "https://a.example" });
    assert.equal(allowed.headers["access-control-allow-origin"], "https://a.example");
    assert.equal(allowed.headers["access-control-allow-credentials"], "true");
    const preflight = await client.request("OPTIONS", "/version", { headers: { origin: "https://a.example" } });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers["access-control-allow-methods"], "POST, GET, OPTIONS, PUT, DELETE, PATCH");
    for (const origin of ["https://a.example.evil", "https://evil", ""]) {
      const other = await client.get("/version", { origin });
      assert.equal(other.headers["access-control-allow-origin"], undefined);
    }
  });

  it("sends the directives of Strict-Transport-Security with every answer", async () => {
    for (const path of ["/version", "/nothing"]) {
      const { headers } = await client.get(path);
      assert.equal(headers["strict-transport-security"], "max-age=100; preload");
    }
  });

  it("tells clients its external host", async () => {
    const { document } = await client.get("/api");
    assert.deepEqual(document["serverAddressByClientCIDRs"], [
      { clientCIDR: "0.0.0.0/0", serverAddress: "api.example:999" },
    ]);
    const configuration = await client.get("/.well-known/openid-configuration");
    assert.equal(configuration.document["jwks_uri"], "https://api.example:999/openid/v1/jwks");
  });

  it("serves the cipher suites that are listed, and those of TLS 1.3", async () => {
    const old = await handshake({ maxVersion: "TLSv1.2" });
    assert.match(old.cipher, /^ECDHE-(?:RSA|ECDSA)-AES128-GCM-SHA256$/);
    await assert.rejects(
      handshake({ maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384" }),
    );
    assert.match((await handshake({})).cipher, /^TLS_/);
  });

  it("shows certificates for names to those who ask for them", async () => {
    const nameFor = async (servername: string) => (await handshake({ servername })).subject["CN"];
    assert.equal(await nameFor("NAMED.example"), "named.example");
    assert.equal(await nameFor("x.named.example"), "named.example");
    const ours = await nameFor("localhost");
    assert.notEqual(ours, "named.example");
    assert.equal(await nameFor("x.y.named.example"), ours);
  });

  it("answers /debug/flags/v as v1.29, and writes debug lines from then on", async () => {
    const put = (body: string) => client.request("PUT", "/debug/flags/v", { body });
    assert.equal((await client.get("/debug/flags/v")).status, 406);
    assert.equal((await client.get("/debug/flags")).headers["content-type"], "text/html; charset=utf-8");
    const wrong = await put("x");
    assert.deepEqual([wrong.status, wrong.text], [400, 'strconv.ParseUint: parsing "x": invalid syntax\n']);
    const right = await put("4");
    assert.deepEqual([right.status, right.text], [200, "successfully set klog.logging.verbosity to 4\n"]);
    await client.get("/api/v1/namespaces/default");
    await eventually(() => assert.match(server.logs.text(), /DEBUG/));
  });

  it("serves the files of /var/log below /logs, and nothing beside them", async () => {
    const list = await client.get("/logs/");
    assert.equal(list.status, 200);
    assert.match(list.text, /^<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n/);
    assert.equal((await client.get("/logs")).status, 301);
    assert.equal((await client.get("/logs/nothing-of-this-name")).text, "404 page not found\n");
    assert.equal((await client.get("/logs/%2e%2e/%2e%2e/etc/passwd")).status, 400);
    assert.equal((await client.request("POST", "/logs")).status, 405);
  });

  it("makes the kubernetes Service one of type NodePort", async () => {
    await eventually(async () => {
      const { document } = await client.get("/api/v1/namespaces/default/services/kubernetes");
      assert.deepEqual((document as { spec?: { type?: unknown } }).spec?.type, "NodePort");
    });
  });
});
