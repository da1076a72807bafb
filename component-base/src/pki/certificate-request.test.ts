import { CertificateRequestError } from "../errors.js";
import "reflect-metadata"; // before the X.509 library, whose container looks for it
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import {
  Pkcs10CertificateRequestGenerator,
  X509Certificate as SignedCertificate,
  SubjectAlternativeNameExtension,
} from "@peculiar/x509";
import { type CertificateRequest, readCertificateRequest } from "./certificate-request.js";
import { certificateSubject } from "./certificate-subject.js";
import { derTags, readElements, writeElement } from "./der.js";
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

test("text around a request is a comment, unless a program could see a part of a block in it", () => {
  const pem = pemOf(der).toString();
  const comments = ["# a request", "Certificate Request:\r\n    Data:\r", "# gültig -- ein Jahr\n", "a\tb-", "-", ""];
  for (const comment of comments) {
    assert.equal(readCertificateRequest(Buffer.from(`${comment}\n${pem}`)).commonName, "jane", comment);
    assert.equal(readCertificateRequest(Buffer.from(`${pem}${comment}`)).commonName, "jane", comment);
    assert.equal(readCertificateRequest(Buffer.from(`${pem}${comment}\n${comment}\n`)).commonName, "jane", comment);
  }
  const odd = [
    "-----BEGIN X-----",
    "x-----END CERTIFICATE REQUEST-----",
    "---- BEGIN SSH2",
    "a\u0000b",
    "a\u001bb",
    "a\rb",
  ];
  for (const text of [...odd, "# ---", pem]) {
    for (const around of [
      `${text}\n${pem}`,
      `a comment\n${text}\n\n${pem}`,
      `${pem}${text}`,
      `${pem}a comment\n${text}\n`,
    ]) {
      assert.throws(() => readCertificateRequest(Buffer.from(around)), CertificateRequestError, JSON.stringify(around));
    }
  }
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

test("the alternative names are critical when nothing of the subject goes into the certificate", async () => {
  const validity = { notBefore: new Date(Date.UTC(2030, 0, 1)), notAfter: new Date(Date.UTC(2030, 0, 2)) };
  const issuer = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
  const areCritical = async (name: string): Promise<boolean | undefined> => {
    const extensions = [new SubjectAlternativeNameExtension([{ type: "dns", value: "a.example.com" }])];
    const asked = await Pkcs10CertificateRequestGenerator.create({
      name,
      keys,
      signingAlgorithm: algorithm,
      extensions,
    });
    const request = readCertificateRequest(pemOf(Buffer.from(asked.rawData)));
    const signed = await signRequest(request, { issuer, ...validity, keyUsage: 1, extendedKeyUsages: [] });
    return new SignedCertificate(signed).getExtension(SubjectAlternativeNameExtension)?.critical;
  };
  assert.equal(await areCritical("CN=jane"), false);
  // A given name goes into no certificate.
  assert.equal(await areCritical("G=jane"), true);
  assert.equal(await areCritical("CN="), true);
  assert.equal(await areCritical(""), true);
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

test("a request signed by RSASSA-PSS is read, whether its parameters write out what they need not, and with no other salt", async () => {
  const pss = {
    ...{ name: "RSA-PSS", hash: "SHA-256", saltLength: 32 },
    ...{ modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  };
  const rsaKeys = await crypto.subtle.generateKey(pss, true, ["sign", "verify"]);
  const made = await Pkcs10CertificateRequestGenerator.create({
    name: "CN=jane",
    keys: rsaKeys,
    signingAlgorithm: pss,
  });
  const [whole] = readElements(Buffer.from(made.rawData), [derTags.sequence], "");
  const [info, , signature] = readElements(whole.content, [derTags.sequence, derTags.sequence, derTags.bitString], "");
  const hex = (text: string) => Buffer.from(text, "hex");
  const hash = (none: string) => writeElement(0x30, hex(`0609608648016503040201${none}`));
  const signedBy = (ofHash: string, ofMask: string, salt: string, trailer: string): Buffer => {
    const parameters = writeElement(
      0x30,
      writeElement(0xa0, hash(ofHash)),
      writeElement(0xa1, writeElement(0x30, hex("06092a864886f70d010108"), hash(ofMask))),
      writeElement(0xa2, hex(salt)),
      hex(trailer),
    );
    const algorithm = writeElement(0x30, hex("06092a864886f70d01010a"), parameters);
    return pemOf(writeElement(0x30, info.whole, algorithm, signature.whole));
  };
  for (const ofHash of ["", "0500"]) {
    for (const ofMask of ["", "0500"]) {
      for (const trailer of ["", "a303020101"]) {
        const text = `${ofHash}, ${ofMask}, ${trailer}`;
        assert.equal(readOrRefuse(signedBy(ofHash, ofMask, "020120", trailer))?.commonName, "jane", text);
        assert.equal(readOrRefuse(signedBy(ofHash, ofMask, "020121", trailer)), undefined, text);
      }
    }
  }
  assert.equal(readOrRefuse(signedBy("0500", "0500", "020120", "a303020102")), undefined);
});

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
    const isRead = /[\t\r\n\x20-\x7e\x80-\xff]/.test(character);
    assert.equal(readOrRefuse(Buffer.from(pem + character, "latin1")) !== undefined, isRead, `${code} behind`);
    const before = readOrRefuse(Buffer.from(`${character}\n${pem}`, "latin1"));
    assert.equal(before !== undefined, isRead, `${code} before`);
  }
});
