import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIPv4 } from "node:net";
import { promisify } from "node:util";
import * as der from "./der.js";

/** A certificate and its private key as PEM text: the certificate in X.509 form, the key in PKCS#8. */
export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Who a certificate speaks for. Names go into the certificate as they are; there is nothing to escape. */
export type CertificateSubject =
  | { readonly kind: "authority"; readonly commonName: string }
  | {
      readonly kind: "server";
      readonly commonName: string;
      readonly dnsNames: readonly string[];
      readonly ipAddresses: readonly string[];
    }
  /** Authenticates as `user` in `groups`: the common name and the organizations. */
  | { readonly kind: "client"; readonly user: string; readonly groups: readonly string[] };

/** The content of a certificate; both dates belong to the time in which it is valid. */
export interface IssueOptions {
  readonly subject: CertificateSubject;
  /** The authority that signs, with an EC key; left out for an authority, which signs itself. */
  readonly issuer?: CertificateAndKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

/**
 * Makes a key and a certificate for it (RFC 5280), in a millisecond: a library that knows all of X.509 takes a fifth of a
 * second to be loaded. Rejects with TypeError when the issuer is not as `IssueOptions` says.
 */
export async function issueCertificate(options: IssueOptions): Promise<CertificateAndKey> {
  const { subject, issuer } = options;
  if ((subject.kind === "authority") !== (issuer === undefined)) {
    throw new TypeError("an authority signs itself; every other certificate needs an issuer");
  }
  // P-256: a key in under a millisecond, where RSA takes a noticeable part of a second.
  const { privateKey, publicKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const signingKey = issuer === undefined ? privateKey : createPrivateKey(issuer.keyPem);
  if (signingKey.asymmetricKeyType !== "ec") {
    throw new TypeError("the issuer must have an EC key");
  }
  const name = nameOf(subject);
  const content = der.sequence(
    der.tagged(0, der.positiveInteger(Buffer.of(2))), // version 3
    der.positiveInteger(newSerialNumber()),
    ecdsaWithSha256,
    issuer === undefined ? name : subjectNameIn(issuer.certificatePem),
    der.sequence(der.time(options.notBefore), der.time(options.notAfter)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der.tagged(3, der.sequence(...extensionsOf(subject, publicKey, createPublicKey(signingKey)))),
  );
  const certificate = der.sequence(content, ecdsaWithSha256, der.bitString(sign("sha256", content, signingKey)));
  return {
    certificatePem: toPem("CERTIFICATE", certificate),
    keyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Each name in a set of its own, as text that may hold anything. */
function nameOf(subject: CertificateSubject): Buffer {
  const attribute = (type: string, text: string): Buffer =>
    der.setOf(der.sequence(der.objectIdentifier(type), der.utf8String(text)));
  const [organization, commonName] = ["2.5.4.10", "2.5.4.3"];
  return subject.kind === "client"
    ? der.sequence(
        ...subject.groups.map((group) => attribute(organization, group)),
        attribute(commonName, subject.user),
      )
    : der.sequence(attribute(commonName, subject.commonName));
}

/** The bytes that the issuer uses for its own name: only with the very same ones it is found. */
function subjectNameIn(certificatePem: string): Uint8Array {
  const [content] = der.membersOf(new X509Certificate(certificatePem).raw);
  const name = content && der.membersOf(content)[5];
  if (name === undefined) {
    throw new TypeError("the issuer must have a certificate of version 3");
  }
  return name;
}

function extensionsOf(subject: CertificateSubject, publicKey: KeyObject, issuerKey: KeyObject): readonly Buffer[] {
  const keyIdentifier = extension("2.5.29.14", der.octetString(identifierOf(publicKey)));
  if (subject.kind === "authority") {
    const signsCertificatesAndLists = der.bitString(Buffer.of(0b1000_0110), 1);
    return [
      criticalExtension("2.5.29.19", der.sequence(der.isTrue)),
      criticalExtension("2.5.29.15", signsCertificatesAndLists),
      keyIdentifier,
    ];
  }
  const digitalSignature = der.bitString(Buffer.of(0b1000_0000), 7);
  const usage = subject.kind === "server" ? "1.3.6.1.5.5.7.3.1" : "1.3.6.1.5.5.7.3.2";
  const extensions = [
    criticalExtension("2.5.29.19", der.sequence()),
    criticalExtension("2.5.29.15", digitalSignature),
    extension("2.5.29.37", der.sequence(der.objectIdentifier(usage))),
    keyIdentifier,
    extension("2.5.29.35", der.sequence(der.taggedString(0, identifierOf(issuerKey)))),
  ];
  if (subject.kind === "server") {
    const names = [
      ...subject.dnsNames.map((name) => der.taggedString(2, Buffer.from(name, "latin1"))),
      ...subject.ipAddresses.map((address) => der.taggedString(7, addressOctets(address))),
    ];
    extensions.push(extension("2.5.29.17", der.sequence(...names)));
  }
  return extensions;
}

function extension(type: string, value: Buffer): Buffer {
  return der.sequence(der.objectIdentifier(type), der.octetString(value));
}

function criticalExtension(type: string, value: Buffer): Buffer {
  return der.sequence(der.objectIdentifier(type), der.isTrue, der.octetString(value));
}

/** The hash of the key's bits (RFC 5280, section 4.2.1.2). */
function identifierOf(publicKey: KeyObject): Buffer {
  const [, bitString = Buffer.alloc(0)] = der.membersOf(publicKey.export({ type: "spki", format: "der" }));
  const unusedBits = 1;
  return createHash("sha1").update(der.contentOf(bitString).subarray(unusedBits)).digest();
}

/** The four or sixteen octets of an address. Throws TypeError for what is none. */
function addressOctets(address: string): Buffer {
  if (isIPv4(address)) {
    return Buffer.from(address.split(".").map(Number));
  }
  // One form of all that there are: without digits of IPv4, and with two colons for at most one row of zeros.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [left, right] = [head, tail ?? ""].map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [
    ...(left ?? []),
    ...Array(8 - (left?.length ?? 0) - (right?.length ?? 0)).fill("0"),
    ...(right ?? []),
  ];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

/** 127 random bits: positive, and unique without keeping count (RFC 5280, section 4.1.2.2). */
export function newSerialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40;
  return octets;
}

function toPem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${lines?.join("\n")}\n-----END ${label}-----\n`;
}
