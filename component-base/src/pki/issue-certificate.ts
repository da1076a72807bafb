import type { webcrypto } from "node:crypto";
import type { Extension, Name } from "@peculiar/x509";

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
  /** The authority that signs; left out for an authority, which signs itself. */
  readonly issuer?: CertificateAndKey;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

// P-256: a key in under a millisecond, where RSA takes a noticeable part of a second.
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

type X509Library = typeof import("@peculiar/x509");

/** Makes a key and a certificate for it. Loads the X.509 library (about 80 ms), so call it only when one must be made. */
export async function issueCertificate(options: IssueOptions): Promise<CertificateAndKey> {
  const { subject, issuer } = options;
  if ((subject.kind === "authority") !== (issuer === undefined)) {
    throw new TypeError("an authority signs itself; every other certificate needs an issuer");
  }
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const common = {
    serialNumber: randomSerialNumber(),
    notBefore: options.notBefore,
    notAfter: options.notAfter,
    signingAlgorithm: algorithm,
    extensions: await extensionsFor(x509, subject, keys.publicKey, issuer),
  };
  const name = subjectName(x509, subject);
  const certificate =
    issuer === undefined
      ? await x509.X509CertificateGenerator.createSelfSigned({ ...common, name, keys })
      : await x509.X509CertificateGenerator.create({
          ...common,
          subject: name,
          issuer: new x509.X509Certificate(issuer.certificatePem).subjectName,
          publicKey: keys.publicKey,
          signingKey: await importSigningKey(issuer.keyPem),
        });
  const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return { certificatePem: `${certificate.toString("pem").trim()}\n`, keyPem: toPem("PRIVATE KEY", key) };
}

/** The X.509 library, and what must be there before it. */
export async function loadX509(): Promise<X509Library> {
  // The library's container looks for this polyfill at load, so the order matters.
  await import("reflect-metadata");
  return await import("@peculiar/x509");
}

function subjectName(x509: X509Library, subject: CertificateSubject): Name {
  const attributes: [string, string][] =
    subject.kind === "client"
      ? [...subject.groups.map((group): [string, string] => ["O", group]), ["CN", subject.user]]
      : [["CN", subject.commonName]];
  // The explicit string type matters: a plain string would be parsed, and quotation marks in a user name would change it.
  return new x509.Name(attributes.map(([type, utf8String]) => ({ [type]: [{ utf8String }] })));
}

async function extensionsFor(
  x509: X509Library,
  subject: CertificateSubject,
  publicKey: webcrypto.CryptoKey,
  issuer: CertificateAndKey | undefined,
): Promise<Extension[]> {
  const usage = x509.KeyUsageFlags;
  const keyIdentifier = await x509.SubjectKeyIdentifierExtension.create(publicKey);
  if (subject.kind === "authority") {
    return [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(usage.digitalSignature | usage.keyCertSign | usage.cRLSign, true),
      keyIdentifier,
    ];
  }
  const extensions: Extension[] = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(usage.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([
      subject.kind === "server" ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
    ]),
    keyIdentifier,
  ];
  if (issuer !== undefined) {
    const authority = new x509.X509Certificate(issuer.certificatePem).publicKey;
    extensions.push(await x509.AuthorityKeyIdentifierExtension.create(authority));
  }
  if (subject.kind === "server") {
    extensions.push(
      new x509.SubjectAlternativeNameExtension([
        ...subject.dnsNames.map((value) => ({ type: "dns" as const, value })),
        ...subject.ipAddresses.map((value) => ({ type: "ip" as const, value })),
      ]),
    );
  }
  return extensions;
}

/** 127 random bits: positive, and unique without keeping count (RFC 5280, section 4.1.2.2). */
export function randomSerialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return Buffer.from(bytes).toString("hex");
}

async function importSigningKey(keyPem: string): Promise<webcrypto.CryptoKey> {
  const body = keyPem.replace(/-----[A-Z ]+-----/g, "").replace(/\s+/g, "");
  return await crypto.subtle.importKey("pkcs8", Buffer.from(body, "base64"), algorithm, false, ["sign"]);
}

function toPem(label: string, der: Uint8Array): string {
  const lines = Buffer.from(der)
    .toString("base64")
    .match(/.{1,64}/g);
  return `-----BEGIN ${label}-----\n${lines?.join("\n")}\n-----END ${label}-----\n`;
}
