import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { renewCertificates } from "./renew-certificates.js";

const names = { program: "hooks", dnsNames: ["hooks.policy.svc", "hooks.policy.svc.cluster.local"] };
const dayMs = 24 * 60 * 60 * 1000;
const count = (pem: string): number => pem.split("BEGIN CERTIFICATE").length - 1;

test("certificates are kept while they are good, and renewed before they end, with the old authority still believed", async () => {
  const now = Date.now();
  const first = await renewCertificates(undefined, names, now);
  assert.equal(first.renewed, true);
  assert.equal(count(first.certificates.caBundlePem), 1);
  const served = new X509Certificate(first.certificates.certificatePem);
  assert.ok(served.verify(new X509Certificate(first.certificates.caBundlePem).publicKey));
  assert.deepEqual(await renewCertificates(first.certificates, names, now + 200 * dayMs), {
    certificates: first.certificates,
    renewed: false,
  });
  const second = await renewCertificates(first.certificates, names, now + 280 * dayMs);
  assert.equal(second.renewed, true);
  assert.equal(count(second.certificates.caBundlePem), 2);
  assert.ok(second.certificates.caBundlePem.includes(first.certificates.caBundlePem.trim()));
});

test("certificates for other names, or that are none, are renewed", async () => {
  const { certificates } = await renewCertificates(undefined, { ...names, dnsNames: ["other.policy.svc"] }, Date.now());
  assert.equal((await renewCertificates(certificates, names, Date.now())).renewed, true);
  const garbage = { caBundlePem: "x", certificatePem: "x", keyPem: "x" };
  assert.equal((await renewCertificates(garbage, names, Date.now())).renewed, true);
});
