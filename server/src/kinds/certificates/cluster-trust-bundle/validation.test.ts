import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { before, describe, it } from "node:test";
import { defaultFeatureGates } from "@gatehouse/apiserver/options";
import type { StrategyContext } from "@gatehouse/apiserver/registry";
import { FieldErrors } from "@gatehouse/apiserver/validation";
import { issueCertificate } from "@gatehouse/component-base/pki";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { clusterTrustBundleValidation } from "./validation.js";

const context: StrategyContext = {
  user: { username: "u", groups: [] },
  nowMs: 0,
  subresource: "",
  features: defaultFeatureGates(),
  allowPrivileged: false,
  warn: () => undefined,
};

function bundle(name: string, trustBundle: string, signerName?: string): JsonObject {
  return { metadata: { name }, spec: { trustBundle, ...(signerName === undefined ? {} : { signerName }) } };
}

function errorsOf(object: JsonObject, old?: JsonObject): string[] {
  const errors = new FieldErrors();
  if (old === undefined) {
    clusterTrustBundleValidation.create(object, errors, context);
  } else {
    clusterTrustBundleValidation.update(object, old, errors, context);
  }
  return errors.list.map(({ field, message }) => `${field}: ${message}`);
}

/** Returns the PEM of a certificate with an extra element behind it, which OpenSSL ignores. */
function withBytesBehind(pem: string): string {
  const der = Buffer.concat([new X509Certificate(pem).raw, Buffer.from("0500", "hex")]);
  return `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
}

const omitted = 'spec.trustBundle: Invalid value: "<value omitted>":';

// The texts are what kube-apiserver 1.29 has answered with the gate ClusterTrustBundle.
describe("Trust bundles", () => {
  let authority = "";
  let leaf = "";

  before(async () => {
    const notBefore = new Date("2024-01-01");
    const notAfter = new Date("2034-01-01");
    const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, notBefore, notAfter });
    const subject = { kind: "client", user: "u", groups: [] } as const;
    authority = issuer.certificatePem;
    leaf = (await issueCertificate({ subject, issuer, notBefore, notAfter })).certificatePem;
  });

  it("hold authorities, each once", () => {
    assert.deepEqual(errorsOf(bundle("a", authority)), []);
    assert.deepEqual(errorsOf(bundle("a", "")), [`${omitted} at least one trust anchor must be provided`]);
    assert.deepEqual(errorsOf(bundle("a", leaf)), [`${omitted} entry 0 does not have the CA bit set`]);
    assert.deepEqual(errorsOf(bundle("a", authority + authority)), [
      `${omitted} duplicate trust anchor (indices [0 1])`,
    ]);
    assert.deepEqual(errorsOf(bundle("a", withBytesBehind(authority))), [`${omitted} entry 0 does not parse as X.509`]);
    const odd = "-----BEGIN X-----\nMAA=\n-----END X-----\n";
    const broken = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
    assert.deepEqual(errorsOf(bundle("a", odd + broken)), [
      `${omitted} entry 0 has bad block type: X`,
      `${omitted} entry 1 does not parse as X.509`,
    ]);
    assert.deepEqual(errorsOf(bundle("a", "x".repeat(1024 * 1024 + 1))), [
      "spec.trustBundle: Too long: must have at most 1048576 bytes",
    ]);
  });

  it("are named after their signer", () => {
    const problemsOf = (name: string, signerName?: string) =>
      clusterTrustBundleValidation.validateName?.(name, bundle(name, authority, signerName), false);
    assert.deepEqual(problemsOf("example.com:s:x", "example.com/s"), []);
    assert.deepEqual(problemsOf("a:b"), ['ClusterTrustBundle without signer name must not have ":" in its name']);
    assert.deepEqual(problemsOf("x", "example.com/s"), [
      "ClusterTrustBundle for signerName example.com/s must be named with prefix example.com:s:",
    ]);
  });

  it("keep their signer; what is not changed is not looked at again", () => {
    assert.deepEqual(errorsOf(bundle("ok", leaf), bundle("ok", leaf)), []);
    assert.deepEqual(errorsOf(bundle("ok", authority, "example.com/s"), bundle("ok", authority)), [
      'spec.signerName: Invalid value: "example.com/s": field is immutable',
    ]);
  });
});
