import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { certificatesOf } from "../tls/certificates-of.js";

/**
 * Why a server's certificate is not taken, in the order in which Go looks: its own time, its name, its authority.
 */
export type CertificateProblem =
  | { readonly kind: "expired"; readonly notAfter: Date }
  | { readonly kind: "not-yet-valid"; readonly notBefore: Date }
  | { readonly kind: "common-name-only" }
  | { readonly kind: "wrong-name"; readonly wanted: string; readonly names: readonly string[] }
  | { readonly kind: "unknown-authority"; readonly hint?: AuthorityHint }
  | { readonly kind: "wrong-use" }
  | { readonly kind: "other"; readonly code: string };

/** An authority of the right name whose key has not signed the certificate: most often one that was made anew. */
export interface AuthorityHint {
  /** Of the authority's key: `rsa`, `ec` or `ed25519`. */
  readonly algorithm: string;
  /** Its common name. */
  readonly authority: string;
}

/** A connection was refused because of the certificate that the server has shown. */
export class ServerCertificateError extends Error {
  override readonly name = "ServerCertificateError";
  readonly problem: CertificateProblem;
  /** When that was found out. */
  readonly at: Date;

  constructor(problem: CertificateProblem, at: Date) {
    super(`the server's certificate is not trusted (${problem.kind})`);
    this.problem = problem;
    this.at = at;
  }
}

/** What a handshake has shown: the certificate, and OpenSSL's verdict on its chain (`undefined`: trusted). */
export interface ShownCertificate {
  readonly certificate: X509Certificate;
  readonly chainError: string | undefined;
  /** What may have signed it, as PEM; `undefined`: what the host trusts. */
  readonly authoritiesPem: string | undefined;
  /** Host name or address that must be in the certificate. */
  readonly wanted: string;
  readonly now: Date;
}

/** The first thing that is wrong with a server's certificate, if anything is. Common names are not looked at, as in Go. */
export function certificateProblem(shown: ShownCertificate): CertificateProblem | undefined {
  const { certificate, wanted, now } = shown;
  const notBefore = new Date(certificate.validFrom);
  const notAfter = new Date(certificate.validTo);
  if (now < notBefore) {
    return { kind: "not-yet-valid", notBefore };
  }
  if (now > notAfter) {
    return { kind: "expired", notAfter };
  }
  return nameProblem(certificate, wanted) ?? chainProblem(shown);
}

function nameProblem(certificate: X509Certificate, wanted: string): CertificateProblem | undefined {
  const byAddress = isIP(wanted) !== 0;
  const matches = byAddress
    ? certificate.checkIP(wanted)
    : certificate.checkHost(wanted.replace(/\.$/, ""), { subject: "never", partialWildcards: false });
  if (matches !== undefined) {
    return undefined;
  }
  const alternatives = certificate.subjectAltName;
  if (alternatives === undefined) {
    return !byAddress && certificate.checkHost(wanted, { subject: "always", partialWildcards: false }) !== undefined
      ? { kind: "common-name-only" }
      : { kind: "wrong-name", wanted, names: [] };
  }
  const prefix = byAddress ? "IP Address:" : "DNS:";
  const entries = alternatives.split(", ").filter((entry) => entry.startsWith(prefix));
  return { kind: "wrong-name", wanted, names: entries.map((entry) => entry.slice(prefix.length)) };
}

const unknownAuthority: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "INVALID_CA",
]);

function chainProblem({
  certificate,
  chainError,
  authoritiesPem = "",
}: ShownCertificate): CertificateProblem | undefined {
  if (chainError === undefined) {
    return undefined;
  }
  if (unknownAuthority.has(chainError)) {
    const namesake = certificatesOf(authoritiesPem).find(({ subject }) => subject === certificate.issuer);
    return {
      kind: "unknown-authority",
      ...(namesake === undefined || namesake.fingerprint256 === certificate.fingerprint256
        ? {}
        : { hint: { algorithm: namesake.publicKey.asymmetricKeyType ?? "", authority: commonNameOf(namesake) } }),
    };
  }
  return chainError === "INVALID_PURPOSE" ? { kind: "wrong-use" } : { kind: "other", code: chainError };
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? "";
}
