import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { type CertificateSubjectNames, certificateSubject } from "../pki/certificate-subject.js";
import { type VerifiedCertificate, verifyClients } from "./verify-clients.js";

/**
 * The caller as a connection's certificate identifies it: no certificate, a rejected one with the reason, or a trusted
 * one with its common name and organizations, which Kubernetes takes as user and groups.
 */
export type CertificateCaller =
  | { readonly outcome: "none" }
  | { readonly outcome: "rejected"; readonly reason: string }
  | ({ readonly outcome: "trusted" } & CertificateSubjectNames);

/**
 * Tells who is at the other end of a connection, request by request: a promise only while the authority of a certificate
 * is being searched for.
 */
export type IdentifyCaller = (socket: TLSSocket) => CertificateCaller | Promise<CertificateCaller>;

interface Verdict {
  readonly caller: CertificateCaller;
  /** Start of the verdict's validity, in milliseconds since 1970; `until` is its end. */
  readonly from: number;
  readonly until: number;
}

const none: CertificateCaller = Object.freeze({ outcome: "none" });
const rejected = (reason: string): CertificateCaller => Object.freeze({ outcome: "rejected", reason });
const expired = rejected("the certificate has expired");
const notYetValid = rejected("the certificate is not valid yet");
const malformed = rejected("the subject of the certificate is malformed");
const unknownAuthority = rejected("the certificate is signed by an unknown authority");

/**
 * Identifies callers by their certificates. A connection shows its certificate once and lives on for long, so with each
 * request it is asked whether its time has come and gone, and whether the authorities of now (`authorities`, as PEM) still
 * trust it. For the same reason servers that use this do not resume sessions.
 */
export function identifyCallers(authorities: () => string, now: () => number = Date.now): IdentifyCaller {
  // The authorities may have changed between the handshake and the first request.
  const verdictOf = verifyClients<Verdict>({ authorities, now, otherAuthorities: true, conclude: verdictOn });
  const callerNow = ({ caller, from, until }: Verdict): CertificateCaller => {
    const time = now();
    return time > until ? expired : time < from ? notYetValid : caller;
  };
  return (socket) => {
    const verdict = verdictOf(socket);
    return verdict instanceof Promise ? verdict.then(callerNow) : callerNow(verdict);
  };
}

function verdictOn(shown: VerifiedCertificate | undefined): Verdict {
  if (shown === undefined) {
    return { caller: none, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  }
  const { certificate, problem } = shown;
  return {
    caller: problem === undefined ? callerOf(certificate) : unknownAuthority,
    from: Date.parse(certificate.validFrom),
    until: Date.parse(certificate.validTo),
  };
}

/** Returns the caller that a trusted certificate names. */
export function callerOf(certificate: X509Certificate): CertificateCaller {
  const subject = certificateSubject(certificate);
  return subject === undefined ? malformed : { outcome: "trusted", ...subject };
}
