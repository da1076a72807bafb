import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, connect } from "node:tls";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { type ControlPlaneCertificates, createCertificates } from "@gatehouse/testing/certificates";
import type { ServerRun } from "@gatehouse/testing/process";
import { createApiClient } from "../spec/support/api-client.js";
import { assertStatus } from "../spec/support/assert-status.js";
import { issueWithoutKeyIdentifier } from "../support/issue-without-key-identifier.js";
import { spawnServer } from "../support/server-program.js";
import { until } from "../support/until.js";

const unauthorized = { code: 401, reason: "Unauthorized", message: "Unauthorized" };
const reason = "Everything is forbidden.";

/** Shows in each answer the user name under which the server knows the client, since no user has permissions here. */
describe("Authentication", { concurrency: true }, () => {
  let folder: string;
  let pki: ControlPlaneCertificates;
  /** An authority of clients of which one bears its name. */
  let namesake: CertificateAndKey;
  let process: ServerRun;
  let anonymousConfig: ClientConfig;
  let log = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-tokens-"));
    pki = await createCertificates(folder);
    namesake = await certificate({ kind: "authority", commonName: "knative" }, undefined, 1);
    const clientCaFile = join(folder, "client-ca.crt");
    await writeFile(clientCaFile, pki.authority.certificatePem + namesake.certificatePem);
    const tokenFile = join(folder, "tokens.csv");
    await writeFile(tokenFile, 'secret,ann,1,"dev,ops"\n"with ""quotes""",bob,2\nsecret2,"<script>",3\n');
    process = spawnServer(
      [
        "--bind-address=127.0.0.1",
        "--secure-port=0",
        `--tls-cert-file=${pki.serverCertFile}`,
        `--tls-private-key-file=${pki.serverKeyFile}`,
        `--client-ca-file=${clientCaFile}`,
        `--token-auth-file=${tokenFile}`,
        `--data-dir=${join(folder, "data")}`,
        ...pki.serviceAccountFlags,
        "--authorization-mode=AlwaysDeny",
      ],
      (text) => {
        log += text;
      },
    );
    anonymousConfig = {
      server: new URL(`https://127.0.0.1:${await process.serving}`),
      certificateAuthorityPem: pki.authority.certificatePem,
      insecureSkipTlsVerify: false,
    };
  });
  after(async () => {
    await process.kill("SIGTERM");
    await rm(folder, { recursive: true });
  });

  async function whoIs(config: Partial<ClientConfig>, authorization?: string): Promise<string> {
    using client = createApiClient({ ...anonymousConfig, ...config });
    const answer = await client.get("/healthz", authorization === undefined ? {} : { authorization });
    if (answer.status === 401) {
      assertStatus(answer, unauthorized);
      assert.equal(answer.headers["www-authenticate"], undefined);
      return "nobody";
    }
    assert.equal(answer.status, 403);
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    const match = /^forbidden: User "(.*)" cannot get path "\/healthz": Everything is forbidden\.$/.exec(
      answer.document.message ?? "",
    );
    return match?.[1] ?? answer.text;
  }

  for (const [header, user] of [
    ["Bearer secret", "ann"],
    ["bearer secret", "ann"],
    ["Bearer secret and more", "ann"],
    ["Bearer wrong", "nobody"],
    ["Bearer", "system:anonymous"],
    ["Bearer ", "system:anonymous"],
    ["Bearer  secret", "system:anonymous"],
    ["Basic YTpi", "system:anonymous"],
    ["", "system:anonymous"],
    ["Bearer secret2", "&lt;script&gt;"],
  ] as const) {
    it(`the header ${JSON.stringify(header)} makes ${user} of a client`, async () => {
      assert.equal(await whoIs({}, header), user);
    });
  }

  it("a certificate that is not ours is refused, and no reason to refuse a good token beside it", async () => {
    const authority = await certificate({ kind: "authority", commonName: "other" }, undefined, 1);
    const clientCertificate = await certificate({ kind: "client", user: "eve", groups: [] }, authority, 1);
    assert.equal(await whoIs({ clientCertificate }), "nobody");
    assert.equal(await whoIs({ clientCertificate }, "Bearer secret"), "ann");
    assert.equal(await whoIs({ clientCertificate }, "Bearer wrong"), "nobody");
  });

  it("a certificate that has expired is refused", async () => {
    const subject = { kind: "client", user: "old", groups: [] } as const;
    assert.equal(await whoIs({ clientCertificate: await certificate(subject, pki.authority, -0.5) }), "nobody");
    assert.equal(await whoIs({ clientCertificate: await certificate(subject, pki.authority, 1) }), "old");
  });

  for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
    it(`a certificate that has expired since is refused when a session of ${maxVersion} is resumed`, async () => {
      const subject = { kind: "client", user: "brief", groups: [] } as const;
      const ask = async (lifeMs: number) => {
        const until = Date.now() + lifeMs;
        const issued = await certificate(subject, pki.authority, lifeMs / dayMs);
        const options = {
          host: "127.0.0.1",
          port: Number(anonymousConfig.server.port),
          ca: anonymousConfig.certificateAuthorityPem,
          cert: issued.certificatePem,
          key: issued.keyPem,
          maxVersion,
        };
        return { until, options, first: await askOverTls(options) };
      };
      const brief = await ask(4000);
      // A machine that does much else asks when the certificate has ended already.
      const { until, options, first } = brief.first.answer.startsWith("HTTP/1.1 403") ? brief : await ask(60_000);
      assert.match(first.answer, /403 Forbidden[\s\S]*User \\"brief\\"/);
      await sleep(until + 1000 - Date.now());
      const second = await askOverTls({ ...options, session: first.session });
      assert.ok(second.isReused, "the session is resumed");
      assert.match(second.answer, /^HTTP\/1\.1 401 Unauthorized/);
    });
  }

  it("a certificate for any use is a client's, too", async () => {
    const clientCertificate = await issueWithoutKeyIdentifier("any", pki.authority, anyUse);
    assert.equal(await whoIs({ clientCertificate }), "any");
  });

  it("a certificate whose subject is that of its authority is a client's, and one that another has signed is not", async () => {
    const clientCertificate = await issueWithoutKeyIdentifier("knative", namesake, clientUse);
    assert.equal(await whoIs({ clientCertificate }), "knative");
    const forger = await certificate({ kind: "authority", commonName: "knative" }, undefined, 1);
    const forged = await issueWithoutKeyIdentifier("knative", forger, clientUse);
    assert.equal(await whoIs({ clientCertificate: forged }), "nobody");
    assert.equal(await whoIs({ clientCertificate: forged }, "Bearer secret"), "ann");
  });

  it("a serving certificate is no client's", async () => {
    const subject = { kind: "server", commonName: "web", dnsNames: ["web"], ipAddresses: [] } as const;
    const clientCertificate = await certificate(subject, pki.authority, 1);
    assert.equal(await whoIs({ clientCertificate }), "nobody");
  });

  it("what is counted tells who is known, by what, and what was decided", async () => {
    const clientCertificate = await certificate({ kind: "client", user: "jane@a.b", groups: [] }, pki.authority, 1);
    const mastersCertificate = await certificate(
      { kind: "client", user: "kubelet", groups: ["system:masters"] },
      pki.authority,
      1,
    );
    assert.equal(await whoIs({ clientCertificate }), "jane@a.b");
    assert.equal(await whoIs({}, "Bearer nobodys"), "nobody");
    assert.equal(await whoIs({}, "Bearer secret"), "ann");
    using client = createApiClient({ ...anonymousConfig, clientCertificate: mastersCertificate });
    await client.get("/metrics");
    const metrics = (await client.get("/metrics")).text;
    for (const series of [
      'authentication_attempts{result="success"}',
      'authentication_attempts{result="error"}',
      'authentication_duration_seconds_count{result="success"}',
      'authentication_duration_seconds_bucket{result="success",le="0.001"}',
      'authenticated_user_requests{username="email_id"}',
      'authenticated_user_requests{username="kubelet"}',
      'authenticated_user_requests{username="other"}',
      'authentication_token_cache_request_total{status="miss"}',
      'authentication_token_cache_fetch_total{status="ok"}',
      'authorization_attempts_total{result="allowed"}',
      'authorization_attempts_total{result="no-opinion"}',
      'authorization_duration_seconds_count{result="no-opinion"}',
      'apiserver_client_certificate_expiration_seconds_bucket{le="172800"}',
    ]) {
      const line = metrics.split("\n").find((text) => text.startsWith(`${series} `));
      assert.ok(line !== undefined && Number(line.slice(series.length)) > 0, `${series}: ${line}`);
    }
  });

  it("refusals are logged with their reason and without the credential", async () => {
    await whoIs({}, "Bearer wrong-but-secret");
    await until("the refusal is logged", () => /a credential was refused.*invalid bearer token/.test(log));
    assert.doesNotMatch(log, /wrong-but-secret/);
  });

  it("what may not be done is said as v1.29 says it", async () => {
    using client = createApiClient(anonymousConfig);
    const headers = { authorization: "Bearer secret" };
    assertStatus(await client.get("/api/v1/namespaces/a/pods/b/log", headers), {
      code: 403,
      reason: "Forbidden",
      message: `pods "b" is forbidden: User "ann" cannot get resource "pods/log" in API group "" in the namespace "a": ${reason}`,
      details: { name: "b", kind: "pods" },
    });
    assertStatus(await client.get("/apis/apps/v1/deployments?watch=1", headers), {
      code: 403,
      reason: "Forbidden",
      message: `deployments.apps is forbidden: User "ann" cannot watch resource "deployments" in API group "apps" at the cluster scope: ${reason}`,
      details: { group: "apps", kind: "deployments" },
    });
  });
});

/** Sends one request on a connection of its own; the session is one that can be resumed. */
async function askOverTls(
  options: ConnectionOptions,
): Promise<{ readonly answer: string; readonly session: Buffer; readonly isReused: boolean }> {
  const socket = connect(options);
  let session: Buffer | undefined;
  socket.on("session", (ticket) => {
    session = ticket;
  });
  await once(socket, "secureConnect");
  const isReused = socket.isSessionReused();
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const answer = await text(socket);
  return { answer, session: session ?? Buffer.alloc(0), isReused };
}

const anyUse = "2.5.29.37.0";
const clientUse = "1.3.6.1.5.5.7.3.2";

const dayMs = 24 * 60 * 60 * 1000;

function certificate(
  subject: Parameters<typeof issueCertificate>[0]["subject"],
  issuer: Awaited<ReturnType<typeof issueCertificate>> | undefined,
  days: number,
): ReturnType<typeof issueCertificate> {
  const notBefore = new Date(Date.now() - dayMs);
  const notAfter = new Date(Date.now() + days * dayMs);
  return issueCertificate({ subject, notBefore, notAfter, ...(issuer === undefined ? {} : { issuer }) });
}
