import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { loadAsn1 } from "./asn1.js";
import { certificateSubject } from "./certificate-subject.js";
import { writeElement } from "./der.js";
import { issueCertificate } from "./issue-certificate.js";
import { parsedCertificate, writeCertificate } from "./write-certificate.js";

const validity = { notBefore: new Date(Date.UTC(2030, 0, 1)), notAfter: new Date(Date.UTC(2030, 0, 2)) };
const asn1 = await loadAsn1();
const authority = await issueCertificate({ subject: { kind: "authority", commonName: "ca" }, ...validity });
const organizationType = Buffer.from("060355040a", "hex");

/** A certificate with two common names, of which the last one counts, and an organization of that type of string. */
async function certificateWith(tag: number, value: Buffer): Promise<X509Certificate> {
  const { AsnConvert, x509 } = asn1;
  const attribute = writeElement(0x30, organizationType, writeElement(tag, value));
  const commonName = (utf8String: string) =>
    new x509.AttributeTypeAndValue({ type: "2.5.4.3", value: new x509.AttributeValue({ utf8String }) });
  const sets = [commonName("bob"), AsnConvert.parse(attribute, x509.AttributeTypeAndValue), commonName("jane")];
  const signingKey = createPrivateKey(authority.keyPem);
  const pem = await writeCertificate(
    {
      issuer: parsedCertificate(asn1, authority.certificatePem).tbsCertificate.subject,
      subject: new x509.Name(sets.map((one) => new x509.RelativeDistinguishedName([one]))),
      publicKey: createPublicKey(signingKey),
      ...validity,
      extensions: [],
    },
    signingKey,
  );
  return new X509Certificate(pem);
}

const ucs2 = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const ucs4 = (text: string): Buffer => Buffer.concat([...text].map((character) => Buffer.from(`\0\0\0${character}`)));

/** Answers of v1.29 to a client that shows such a certificate: its groups, or undefined for an end of the handshake. */
const rows: readonly [name: string, tag: number, value: Buffer, organization: string | undefined][] = [
  ["a UTF8String", 0x0c, Buffer.from("dév"), "dév"],
  ["a UTF8String with a NUL byte", 0x0c, Buffer.from("system:masters\0x"), "system:masters\0x"],
  ["an empty UTF8String", 0x0c, Buffer.alloc(0), ""],
  ["a PrintableString", 0x13, Buffer.from("dev"), "dev"],
  ["a PrintableString with an asterisk", 0x13, Buffer.from("d*v"), "d*v"],
  ["a PrintableString with an underscore", 0x13, Buffer.from("d_v"), undefined],
  ["an IA5String", 0x16, Buffer.from("dev"), "dev"],
  ["an IA5String above ASCII", 0x16, Buffer.from("64e9", "hex"), undefined],
  ["a T61String", 0x14, Buffer.from("64e9", "hex"), "dé"],
  ["a BMPString", 0x1e, ucs2("dev"), "dev"],
  ["a BMPString with a terminator", 0x1e, ucs2("dev\0"), "dev"],
  ["a NumericString", 0x12, Buffer.from("12"), "12"],
  ["a NumericString of letters", 0x12, Buffer.from("ab"), undefined],
  ["a UniversalString, which OpenSSL reads", 0x1c, ucs4("system:masters"), undefined],
];

for (const [name, tag, value, organization] of rows) {
  const outcome = organization === undefined ? "is not believed" : "is read as v1.29 reads it";
  test(`a certificate whose organization is ${name} ${outcome}`, async () => {
    const certificate = await certificateWith(tag, value);
    const expected = organization === undefined ? undefined : { commonName: "jane", organizations: [organization] };
    assert.deepEqual(certificateSubject(certificate), expected);
  });
}
