import assert from "node:assert/strict";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { before, test } from "node:test";
import { type CertificateAndKey, issueCertificate } from "@gatehouse/component-base/pki";
import { secretWarnings } from "./warnings.js";

let pair: CertificateAndKey;
let other: CertificateAndKey;

before(async () => {
  const subject = { kind: "authority", commonName: "a" } as const;
  const validity = { notBefore: new Date("2024-01-01"), notAfter: new Date("2034-01-01") };
  pair = await issueCertificate({ subject, ...validity });
  other = await issueCertificate({ subject, ...validity });
});

function warningsFor(certificate: string, key: string, type = "kubernetes.io/tls"): readonly string[] {
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  return secretWarnings({ type, data: { "tls.crt": encode(certificate), "tls.key": encode(key) } });
}

test("nothing is said about a certificate with its key, and about secrets of other types", () => {
  assert.deepEqual(warningsFor(pair.certificatePem, pair.keyPem), []);
  assert.deepEqual(warningsFor(`a note\n${pair.certificatePem}${other.certificatePem}`, pair.keyPem), []);
  assert.deepEqual(warningsFor("", "", "Opaque"), []);
});

test("it is told why a certificate and a key are no pair", () => {
  const { certificatePem, keyPem } = pair;
  const request = "-----BEGIN CERTIFICATE REQUEST-----\nAA==\n-----END CERTIFICATE REQUEST-----\n";
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs1", format: "pem" });
  const broken = (pem: string): string => pem.replace(/\n[^-]{8}/, "\nAAAAAAAA");
  const withBytesBehind = (pem: string): string => {
    const der = Buffer.concat([new X509Certificate(pem).raw, Buffer.from("0500", "hex")]);
    return `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`;
  };
  const cases: readonly (readonly [certificate: string, key: string, warning: string])[] = [
    ["", keyPem, "tls: failed to find any PEM data in certificate input"],
    [
      keyPem,
      certificatePem,
      "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
    ],
    [
      request,
      keyPem,
      'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [CERTIFICATE REQUEST]',
    ],
    [certificatePem, "", "tls: failed to find any PEM data in key input"],
    [certificatePem, certificatePem, "tls: found a certificate rather than a key in the PEM for the private key"],
    [
      certificatePem,
      request,
      'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [CERTIFICATE REQUEST]',
    ],
    [broken(certificatePem), keyPem, "x509: malformed certificate"],
    [withBytesBehind(certificatePem), keyPem, "x509: trailing data"],
    [certificatePem, broken(keyPem), "tls: failed to parse private key"],
    [certificatePem, String(rsa), "tls: private key type does not match public key type"],
    [certificatePem, other.keyPem, "tls: private key does not match public key"],
  ];
  for (const [certificate, key, warning] of cases) {
    assert.deepEqual(warningsFor(certificate, key), [warning]);
  }
});
