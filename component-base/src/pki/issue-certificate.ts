import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Extension, Name } from "@peculiar/asn1-x509";
import { type Asn1, loadAsn1 } from "./asn1.js";
import { generatePrivateKey, type PrivateKeyType } from "./generate-private-key.js";
import { extension, keyIdentifierOf, parsedCertificate, writeCertificate } from "./write-certificate.js";

/** A certificate and its private key as PEM text: EC keys in PKCS#8, RSA keys in PKCS#1. */
export interface CertificateAndKey {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** The subject of a certificate. Names go into the certificate as they are; there is nothing to escape. */
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
  /** Type of the key to make; authorities have EC keys. Default `ec`. */
  readonly keyType?: PrivateKeyType;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * Makes a key and a certificate for it (RFC 5280). Rejects with TypeError when the issuer is not as `IssueOptions` says.
 * Loads what writes ASN.1, so call it only when a certificate must be made.
 */
export async function issueCertificate(options: IssueOptions): Promise<CertificateAndKey> {
  const { subject, issuer, keyType = "ec" } = options;
  if ((subject.kind === "authority") !== (issuer === undefined)) {
    throw new TypeError("an authority signs itself; every other certificate needs an issuer");
  }
  const issuerKey = issuer === undefined ? undefined : createPrivateKey(issuer.keyPem);
  if ((issuerKey?.asymmetricKeyType ?? keyType) !== "ec") {
    throw new TypeError("the issuer must have an EC key");
  }
  const [asn1, { privateKey, publicKey }] = await Promise.all([loadAsn1(), generatePrivateKey(keyType)]);
  const signingKey = issuerKey ?? privateKey;
  const name = nameOf(asn1, subject);
  const certificatePem = await writeCertificate(
    {
      issuer: issuer === undefined ? name : parsedCertificate(asn1, issuer.certificatePem).tbsCertificate.subject,
      subject: name,
      publicKey,
      notBefore: options.notBefore,
      notAfter: options.notAfter,
      extensions: extensionsOf(asn1, subject, publicKey, createPublicKey(signingKey)),
    },
    signingKey,
  );
  // As kubeadm writes them: some client libraries read RSA keys only, and tell their form by the label.
  const form = keyType === "rsa" ? "pkcs1" : "pkcs8";
  return { certificatePem, keyPem: privateKey.export({ type: form, format: "pem" }).toString() };
}

/** Each name in a set of its own, as text that may hold anything. */
function nameOf({ x509 }: Asn1, subject: CertificateSubject): Name {
  const attribute = (type: string, utf8String: string) =>
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String }) }),
    ]);
  const [organization, commonName] = ["2.5.4.10", "2.5.4.3"];
  return new x509.Name(
    subject.kind === "client"
      ? [...subject.groups.map((group) => attribute(organization, group)), attribute(commonName, subject.user)]
      : [attribute(commonName, subject.commonName)],
  );
}

function extensionsOf(
  asn1: Asn1,
  subject: CertificateSubject,
  publicKey: KeyObject,
  issuerKey: KeyObject,
): readonly Extension[] {
  const { x509 } = asn1;
  const keyIdentifier = (key: KeyObject) => new x509.KeyIdentifier(keyIdentifierOf(asn1, key));
  const { digitalSignature, keyEncipherment, keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const isAuthority = subject.kind === "authority";
  const furtherUsage = isAuthority
    ? keyCertSign | cRLSign
    : publicKey.asymmetricKeyType === "rsa"
      ? keyEncipherment
      : 0;
  const extensions = [
    extension(asn1, x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: isAuthority }), true),
    extension(asn1, x509.id_ce_keyUsage, new x509.KeyUsage(digitalSignature | furtherUsage), true),
    extension(asn1, x509.id_ce_subjectKeyIdentifier, keyIdentifier(publicKey)),
  ];
  if (!isAuthority) {
    const usage = subject.kind === "server" ? x509.id_kp_serverAuth : x509.id_kp_clientAuth;
    extensions.push(
      extension(asn1, x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([usage])),
      extension(
        asn1,
        x509.id_ce_authorityKeyIdentifier,
        new x509.AuthorityKeyIdentifier({ keyIdentifier: keyIdentifier(issuerKey) }),
      ),
    );
  }
  if (subject.kind === "server") {
    const names = [
      ...subject.dnsNames.map((dNSName) => new x509.GeneralName({ dNSName })),
      ...subject.ipAddresses.map((address) => new x509.GeneralName({ iPAddress: plainAddress(address) })),
    ];
    extensions.push(extension(asn1, x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(names)));
  }
  return extensions;
}

/** The library reads no IPv6 address that ends in the digits of IPv4. */
function plainAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
