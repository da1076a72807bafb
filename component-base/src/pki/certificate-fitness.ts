import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { certificateSubject } from "./certificate-subject.js";
import type { PrivateKeyType } from "./generate-private-key.js";
import type { CertificateAndKey, CertificateSubject } from "./issue-certificate.js";

/** The certificate that a stored one has to be as good as. */
export interface CertificateRequirement {
  readonly subject: CertificateSubject;
  /** Left out for an authority, which signs itself. */
  readonly issuerPem?: string;
  /** Left out: any type of key will do. */
  readonly keyType?: PrivateKeyType;
  readonly validUntil: Date;
}

/**
 * Returns the reason why a stored certificate cannot be used for `subject` any longer, as the end of the sentence "it
 * is made anew because ..."; `undefined` when it can. Uses only Node's own modules, so that a normal start needs no
 * X.509 library.
 */
export function certificateUnfitness(
  stored: CertificateAndKey,
  requirement: CertificateRequirement,
): string | undefined {
  try {
    return findUnfitness(stored, requirement);
  } catch {
    return "it cannot be read";
  }
}

function findUnfitness(stored: CertificateAndKey, requirement: CertificateRequirement): string | undefined {
  const { subject, issuerPem, keyType, validUntil } = requirement;
  const certificate = new X509Certificate(stored.certificatePem);
  const key = createPrivateKey(stored.keyPem);
  if (!certificate.checkPrivateKey(key)) {
    return "its key does not belong to it";
  }
  if (keyType !== undefined && key.asymmetricKeyType !== keyType) {
    return `its key is not of type ${keyType}`;
  }
  if (new Date(certificate.validTo) < validUntil) {
    return "it expires soon";
  }
  if (certificate.ca !== (subject.kind === "authority")) {
    return "it is of another kind";
  }
  const issuer = issuerPem === undefined ? certificate : new X509Certificate(issuerPem);
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
    return "another authority issued it";
  }
  if (!sameSubject(certificate, subject)) {
    return "it is for another subject";
  }
  return subject.kind === "server" ? findMissingName(certificate, subject) : undefined;
}

function sameSubject(certificate: X509Certificate, subject: CertificateSubject): boolean {
  const wanted =
    subject.kind === "client"
      ? { commonName: subject.user, organizations: subject.groups }
      : { commonName: subject.commonName, organizations: [] };
  return isDeepStrictEqual(certificateSubject(certificate), wanted);
}

function findMissingName(
  certificate: X509Certificate,
  subject: { readonly dnsNames: readonly string[]; readonly ipAddresses: readonly string[] },
): string | undefined {
  const missing =
    subject.dnsNames.find(
      (name) => certificate.checkHost(name, { subject: "never", wildcards: false }) === undefined,
    ) ?? subject.ipAddresses.find((address) => isIP(address) === 0 || certificate.checkIP(address) === undefined);
  return missing === undefined ? undefined : `it does not cover ${missing}`;
}
