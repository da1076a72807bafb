import { CertificateRequestError } from "../errors.js";
import "reflect-metadata"; // before the X.509 library, whose container looks for it
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from "@peculiar/x509";
import { type CertificateRequest, readCertificateRequest } from "./certificate-request.js";
import { certificateSubject } from "./certificate-subject.js";
import { issueCertificate } from "./issue-certificate.js";
import { signRequest } from "./sign-request.js";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
const made = await Pkcs10CertificateRequestGenerator.create({
  name: "O=developers,O=testers,CN=jane",
  keys,
  signingAlgorithm: algorithm,
  extensions: [
    new SubjectAlternativeNameExtension([
      { type: "dns", value: "a.example.com" },
      { type: "ip", value: "10.0.0.1" },
      { type: "email", value: "jane@example.com" },
      { type: "url", value: "spiffe://example.com/jane" },
    ]),
  ],
});
const der = Buffer.from(made.rawData);

function pemOf(bytes: Buffer): Buffer {
  const text = bytes.toString("base64").replace(/.{64}/g, "$&\n");
  return Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${text}\n-----END CERTIFICATE REQUEST-----\n`);
}

test("bytes that are no request are refused in the words of Go, which looks at the identifier before the length", () => {
  const refusal = (bytes: string): string => {
    try {
      readCertificateRequest(pemOf(Buffer.from(bytes, "hex")));
    } catch (error) {
      assert.ok(error instanceof CertificateRequestError);
      return error.message.replace(/ \{optional:.*\}/, "");
    }
    return assert.fail("the bytes are taken for a request");
  };
  const mismatch = "asn1: structure error: tags don't match (16 vs";
  assert.equal(refusal("2d71ff"), `${mismatch} {class:0 tag:13 length:113 isCompound:true}) certificateRequest @2`);
  assert.equal(refusal("0481ff00"), `${mismatch} {class:0 tag:4 length:255 isCompound:false}) certificateRequest @3`);
  assert.equal(refusal("3071ff"), "asn1: syntax error: data truncated");
});

test("a request tells all names, and the certificate has those and no others", async () => {
  const request = readCertificateRequest(pemOf(der));
  const { publicKey, ipAddresses, subject: _, ...names } = request;
  assert.deepEqual(names, {
    commonName: "jane",
    organizations: ["developers", "testers"],
    dnsNames: ["a.example.com"],
    emailAddresses: ["jane@example.com"],
    uris: ["spiffe://example.com/jane"],
  });
  assert.deepEqual(
    ipAddresses.map((address) => [...address]),
    [[10, 0, 0, 1]],
  );
  const validity = { notBefore: new Date(Date.UTC(2030, 0, 1)), notAfter: new Date(Date.UTC(2030, 0, 2)) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
  const signed = await signRequest(request, { issuer, ...validity, keyUsage: 1, extendedKeyUsages: [] });
  const certificate = new X509Certificate(signed);
  // Organizations are one set, which DER orders by its bytes: the shorter one first, in v1.29's certificates, too.
  assert.deepEqual(certificateSubject(certificate), { commonName: "jane", organizations: ["testers", "developers"] });
  assert.equal(
    certificate.subjectAltName,
    "DNS:a.example.com, email:jane@example.com, IP Address:10.0.0.1, URI:spiffe://example.com/jane",
  );
  assert.ok(certificate.publicKey.equals(publicKey));
  assert.ok(certificate.verify(new X509Certificate(issuer.certificatePem).publicKey));
});

/** The request, or undefined where it is refused; any other error fails the test. */
function readOrRefuse(pem: Buffer): CertificateRequest | undefined {
  try {
    return readCertificateRequest(pem);
  } catch (error) {
    assert.ok(error instanceof CertificateRequestError, String(error));
    return undefined;
  }
}

test("a request of which any bit was changed is refused as one: its signature covers the rest", () => {
  for (let at = 0; at < der.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = Buffer.from(der);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
      assert.equal(readOrRefuse(pemOf(changed)), undefined, `bit ${bit} of octet ${at}`);
    }
  }
});

test("a request of more than 64 KiB is refused before it is read", () => {
  assert.throws(() => readCertificateRequest(pemOf(Buffer.alloc(64 * 1024 + 1))), {
    name: "CertificateRequestError",
    message: "must not be larger than 65536 bytes",
  });
});

test("a request with more than 250 attributes in its subject is refused", async () => {
  const named = async (count: number) => {
    const name = Array.from({ length: count }, (_, index) => `O=${index}`).join(",");
    return await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: algorithm });
  };
  const [most, tooMany] = await Promise.all([named(250), named(251)]);
  assert.equal(readCertificateRequest(pemOf(Buffer.from(most.rawData))).organizations.length, 250);
  assert.throws(() => readCertificateRequest(pemOf(Buffer.from(tooMany.rawData))), {
    message: "must not have more than 250 attributes in its subject",
  });
});

test("a request that is cut off anywhere is refused", () => {
  for (let length = 0; length < der.length; length++) {
    assert.equal(readOrRefuse(pemOf(der.subarray(0, length))), undefined, `${length} octets`);
  }
});

test("whatever is written before or behind a block, it is read as it is or refused", () => {
  const pem = pemOf(der).toString();
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code);
    const isSpace = " \t\r\n".includes(character);
    assert.equal(readOrRefuse(Buffer.from(pem + character, "latin1")) !== undefined, isSpace, `${code} behind`);
    const before = readOrRefuse(Buffer.from(`${character}\n${pem}`, "latin1"));
    assert.equal(before !== undefined, isSpace, `${code} before`);
  }
});
