import { createHash, type KeyObject, randomBytes, sign, X509Certificate } from "node:crypto";
import type { Certificate, Extension, Name } from "@peculiar/asn1-x509";
import { type Asn1, loadAsn1 } from "./asn1.js";
import { derTags, writeElement } from "./der.js";

/** The content of a certificate that is about to be signed. */
export interface CertificateContent {
  readonly issuer: Name;
  readonly subject: Name;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Extension[];
}

interface SigningAlgorithm {
  readonly identifier: string;
  readonly digest: string | null;
}

const curves: ReadonlyMap<string | undefined, SigningAlgorithm> = new Map([
  ["prime256v1", { identifier: "1.2.840.10045.4.3.2", digest: "sha256" }],
  ["secp384r1", { identifier: "1.2.840.10045.4.3.3", digest: "sha384" }],
  ["secp521r1", { identifier: "1.2.840.10045.4.3.4", digest: "sha512" }],
]);
const rsa: SigningAlgorithm = { identifier: "1.2.840.113549.1.1.11", digest: "sha256" };
const ed25519: SigningAlgorithm = { identifier: "1.3.101.112", digest: null };

/** Signs a certificate (RFC 5280) and writes it as PEM. Throws TypeError for a key of a type that signs none. */
export async function writeCertificate(content: CertificateContent, signingKey: KeyObject): Promise<string> {
  const asn1 = await loadAsn1();
  const { AsnConvert, x509 } = asn1;
  const { identifier, digest } = algorithmOf(signingKey);
  // RFC 4055, section 5: with RSA the parameters are there, and empty.
  const parameters = signingKey.asymmetricKeyType === "rsa" ? { parameters: null } : {};
  const signature = new x509.AlgorithmIdentifier({ algorithm: identifier, ...parameters });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: exactBytes(newSerialNumber()),
    signature,
    issuer: content.issuer,
    validity: new x509.Validity({ notBefore: content.notBefore, notAfter: content.notAfter }),
    subject: content.subject,
    subjectPublicKeyInfo: publicKeyInfo(asn1, content.publicKey),
    extensions: new x509.Extensions([...content.extensions]),
  });
  const signed = Buffer.from(AsnConvert.serialize(tbsCertificate));
  const bits = Buffer.concat([Buffer.from([0]), sign(digest, signed, signingKey)]);
  // Put together by hand: the library would write all that is signed a second time.
  const algorithm = Buffer.from(AsnConvert.serialize(signature));
  const certificate = writeElement(derTags.sequence, signed, algorithm, writeElement(derTags.bitString, bits));
  return new X509Certificate(certificate).toString();
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SigningAlgorithm {
  const byType = asymmetricKeyType === "rsa" ? rsa : asymmetricKeyType === "ed25519" ? ed25519 : undefined;
  const found = byType ?? curves.get(asymmetricKeyDetails?.namedCurve);
  if (found === undefined) {
    throw new TypeError("an authority's key must be RSA, ECDSA on P-256, P-384 or P-521, or Ed25519");
  }
  return found;
}

/** Makes an extension of a value that the library writes. */
export function extension(
  { AsnConvert, OctetString, x509 }: Asn1,
  type: string,
  value: object,
  critical = false,
): Extension {
  return new x509.Extension({ extnID: type, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** Reads a certificate with the library that writes them, so that names are written again as they were. */
export function parsedCertificate({ AsnConvert, x509 }: Asn1, certificatePem: string): Certificate {
  return AsnConvert.parse(new X509Certificate(certificatePem).raw, x509.Certificate);
}

/** The hash of a key's bits (RFC 5280, section 4.2.1.2). */
export function keyIdentifierOf(asn1: Asn1, key: KeyObject): ArrayBuffer {
  const { subjectPublicKey } = publicKeyInfo(asn1, key);
  return exactBytes(createHash("sha1").update(Buffer.from(subjectPublicKey)).digest());
}

function publicKeyInfo({ AsnConvert, x509 }: Asn1, key: KeyObject) {
  return AsnConvert.parse(key.export({ type: "spki", format: "der" }), x509.SubjectPublicKeyInfo);
}

/** 127 random bits: positive, and unique without keeping count (RFC 5280, section 4.1.2.2). */
function newSerialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40;
  return octets;
}

/** A copy with nothing around it: a Buffer may be part of a larger one. */
export function exactBytes(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
