import "reflect-metadata"; // before the X.509 library, whose container looks for it
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import type { ControlPlane } from "@gatehouse/testing";
import { Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const dayMs = 24 * 60 * 60 * 1000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** A server that signs with an authority of its own, which it also believes. */
describe("Certificates that are asked for", () => {
  let folder: string;
  let server: ControlPlane;
  let admin: ApiClient;
  let authority: CertificateAndKey;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-signing-"));
    const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 2 * dayMs) };
    authority = await issueCertificate({ subject: { kind: "authority", commonName: "cluster-ca" }, ...validity });
    const file = (name: string) => join(folder, name);
    await writeFile(file("cluster.crt"), authority.certificatePem);
    await writeFile(file("cluster.key"), authority.keyPem);
    server = await startTestServer({
      flagsFor: async ({ authority: { certificatePem } }) => {
        await writeFile(file("clients.crt"), certificatePem + authority.certificatePem);
        return [
          `--client-ca-file=${file("clients.crt")}`,
          `--cluster-signing-cert-file=${file("cluster.crt")}`,
          `--cluster-signing-key-file=${file("cluster.key")}`,
        ];
      },
    });
    admin = createApiClient(server.clientConfig);
  });
  after(async () => {
    admin[Symbol.dispose]();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  async function makeRequest(subject: string): Promise<{ readonly pem: string; readonly keyPem: string }> {
    const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: subject,
      keys,
      signingAlgorithm: algorithm,
    });
    const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
    return {
      pem: request.toString("pem"),
      keyPem: `-----BEGIN PRIVATE KEY-----\n${key.match(/.{1,64}/g)?.join("\n")}\n-----END PRIVATE KEY-----\n`,
    };
  }

  async function ask(name: string, pem: string, spec: object): Promise<void> {
    const request = Buffer.from(pem).toString("base64");
    assertCode(await admin.post(path, { metadata: { name }, spec: { request, ...spec } }), 201);
    const object = (await admin.get(`${path}/${name}`)).document as object;
    const conditions = [{ type: "Approved", status: "True", reason: "Test", message: "yes" }];
    assertCode(await admin.put(`${path}/${name}/approval`, { ...object, status: { conditions } }), 200);
  }
  const statusOf = async (name: string) =>
    (
      (await admin.get(`${path}/${name}`)).document as unknown as {
        status: { certificate?: string; conditions: readonly Condition[] };
      }
    ).status;

  const signerName = "kubernetes.io/kube-apiserver-client";
  const usages = ["digital signature", "client auth"];

  it("an approved request for a client is signed, by the authority and for no longer than asked", async () => {
    const { pem } = await makeRequest("O=developers,CN=jane");
    await ask("jane", pem, { signerName, usages, expirationSeconds: 3600 });
    const issued = await until("it is signed", async () => (await statusOf("jane")).certificate);
    const certificate = new X509Certificate(Buffer.from(issued, "base64"));
    assert.equal(certificate.issuer, "CN=cluster-ca");
    assert.equal(certificate.subject, "O=developers\nCN=jane");
    assert.deepEqual(certificate.keyUsage, ["1.3.6.1.5.5.7.3.2"]);
    assert.equal(certificate.ca, false);
    assert.ok(certificate.verify(new X509Certificate(authority.certificatePem).publicKey));
    const seconds = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 1000;
    assert.equal(seconds, 3600 + 300);
  });

  it("certificates for requests with a duration are counted by signer, and those that last as long", async () => {
    const counts = async (): Promise<readonly string[]> => {
      const { text } = await admin.get("/metrics");
      return text.match(/^apiserver_certificates_registry_.*$/gm) ?? [];
    };
    const honored =
      'apiserver_certificates_registry_csr_honored_duration_total{signerName="kubernetes.io/kube-apiserver-client"} 1';
    const requested = honored.replace("honored", "requested");
    assert.deepEqual(await counts(), [honored, requested]);
    const { pem } = await makeRequest("CN=other");
    await ask("other", pem, { signerName: "example.com/other", usages, expirationSeconds: 7200 });
    const certificate = Buffer.from(authority.certificatePem).toString("base64");
    const object = (await admin.get(`${path}/other`)).document as unknown as { status: object };
    const signed = { ...object, status: { ...object.status, certificate } };
    assertCode(await admin.put(`${path}/other/status?dryRun=All`, signed), 200);
    assert.deepEqual(await counts(), [honored, requested]);
    assertCode(await admin.put(`${path}/other/status`, signed), 200);
    const other = requested.replace("kubernetes.io/kube-apiserver-client", "other");
    assert.deepEqual(await counts(), [honored, requested, other]);
  });

  it("it logs in, and no longer than the authority lives", async () => {
    const { pem, keyPem } = await makeRequest("O=developers,CN=bob");
    await ask("bob", pem, { signerName, usages });
    const issued = await until("it is signed", async () => (await statusOf("bob")).certificate);
    const certificatePem = Buffer.from(issued, "base64").toString();
    const end = (text: string) => new X509Certificate(text).validTo;
    assert.equal(end(certificatePem), end(authority.certificatePem));
    using bob = createApiClient({ ...server.anonymousConfig, clientCertificate: { certificatePem, keyPem } });
    const answer = await bob.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
    assertCode(answer, 201);
    assert.deepEqual((answer.document as unknown as { status: object }).status, {
      userInfo: { username: "bob", groups: ["developers", "system:authenticated"] },
    });
  });

  for (const [name, subject, spec, message] of [
    [
      "server-usage",
      "CN=x",
      { signerName, usages: ["server auth"] },
      "invalid usage for client certificate: server auth",
    ],
    [
      "no-client-usage",
      "CN=x",
      { signerName, usages: ["digital signature"] },
      "missing required usage for client certificate: client auth",
    ],
    [
      "node-without-prefix",
      "O=system:nodes,CN=x",
      { signerName: "kubernetes.io/kube-apiserver-client-kubelet", usages },
      "subject common name does not begin with system:node:",
    ],
    [
      "node-without-group",
      "CN=system:node:x",
      { signerName: "kubernetes.io/kube-apiserver-client-kubelet", usages },
      "subject organization is not system:nodes",
    ],
    [
      "serving-without-names",
      "O=system:nodes,CN=system:node:x",
      { signerName: "kubernetes.io/kubelet-serving", usages: ["digital signature", "server auth"] },
      "DNS or IP subjectAltName is required",
    ],
  ] as const) {
    it(`what a signer does not sign fails, and says why: ${name}`, async () => {
      const { pem } = await makeRequest(subject);
      await ask(name, pem, spec);
      const failed = await until("it has failed", async () =>
        (await statusOf(name)).conditions.find(({ type }) => type === "Failed"),
      );
      const { status, reason } = failed;
      assert.deepEqual(
        { status, reason, message: failed.message },
        {
          status: "True",
          reason: "SignerValidationFailure",
          message,
        },
      );
      assert.equal((await statusOf(name)).certificate, undefined);
    });
  }

  it("what others sign, and what nobody has approved, is left alone", async () => {
    const { pem } = await makeRequest("CN=x");
    await ask("foreign", pem, { signerName: "example.com/mine", usages });
    const request = Buffer.from(pem).toString("base64");
    await admin.post(path, { metadata: { name: "unapproved" }, spec: { request, signerName, usages } });
    await ask("marker", pem, { signerName, usages });
    await until("a later one is signed", async () => (await statusOf("marker")).certificate);
    for (const name of ["foreign", "unapproved"]) {
      assert.equal((await statusOf(name))?.certificate, undefined);
    }
  });

  it("other API servers read whom to believe in a config map, which is kept", async () => {
    const map = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";
    const data = async () => (await admin.get(map)).document.data as Record<string, string> | undefined;
    const both = server.certificates.authority.certificatePem + authority.certificatePem;
    const own = async () => (await data())?.["client-ca-file"] === both;
    await until("it is there", own);
    await admin.delete(map);
    await until("it is there again", own);
    const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
    const third = await issueCertificate({ subject: { kind: "authority", commonName: "third" }, ...validity });
    const more = { data: { "client-ca-file": third.certificatePem, other: "gone" } };
    assertCode(await admin.patch(map, "application/merge-patch+json", more), 200);
    const all = { "client-ca-file": third.certificatePem + both };
    await until("what others have written stays", async () => JSON.stringify(await data()) === JSON.stringify(all));
    const tracking = "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking";
    const since = await until("it is tracked", async () => {
      return ((await admin.get(tracking)).document.data as Record<string, string> | undefined)?.["since"];
    });
    assert.match(since, /^\d{4}-\d\d-\d\d$/);
  });
});
