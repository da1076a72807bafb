import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { type CertificateSubjectNames, certificateSubject } from "../pki/certificate-subject.js";
import { certificatesOf, certificatesShownWith } from "./certificates-of.js";
import { isTrustedBy } from "./is-trusted-by.js";
import { peerCertificateOf } from "./peer-certificate.js";

/**
 * What a connection's certificate says about the caller: that there is none, that it is not to be believed and why, or
 * who it is: the common name and the organizations, which Kubernetes takes as user and groups.
 */
export type CertificateCaller =
  | { readonly outcome: "none" }
  | { readonly outcome: "rejected"; readonly reason: string }
  | ({ readonly outcome: "trusted" } & CertificateSubjectNames);

/** Tells who is at the other end of a connection, request by request. */
export type IdentifyCaller = (socket: TLSSocket) => CertificateCaller;

interface Verdict {
  readonly caller: CertificateCaller;
  /** The authorities that it was found with. */
  readonly authoritiesPem: string;
  /** It holds from and until then, in milliseconds since 1970. */
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
  const verdicts = new WeakMap<TLSSocket, Verdict>();
  let parsed: { readonly pem: string; readonly certificates: readonly X509Certificate[] } | undefined;
  return (socket) => {
    const authoritiesPem = authorities();
    const time = now();
    let known = verdicts.get(socket);
    if (known === undefined || known.authoritiesPem !== authoritiesPem) {
      if (parsed?.pem !== authoritiesPem) {
        parsed = { pem: authoritiesPem, certificates: certificatesOf(authoritiesPem) };
      }
      known = { ...judge(socket, parsed.certificates, time), authoritiesPem };
      verdicts.set(socket, known);
    }
    return time > known.until ? expired : time < known.from ? notYetValid : known.caller;
  };
}

function judge(
  socket: TLSSocket,
  authorities: readonly X509Certificate[],
  now: number,
): Omit<Verdict, "authoritiesPem"> {
  const certificate = peerCertificateOf(socket);
  if (certificate === undefined) {
    return { caller: none, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  }
  const times = { from: Date.parse(certificate.validFrom), until: Date.parse(certificate.validTo) };
  // Both: the handshake has looked at names and uses as well, and the authorities may have changed since.
  if (!socket.authorized || !isTrustedBy(authorities, certificate, certificatesShownWith(certificate), now)) {
    return { caller: unknownAuthority, ...times };
  }
  return { caller: callerOf(certificate), ...times };
}

/** Returns the caller that a trusted certificate names. */
export function callerOf(certificate: X509Certificate): CertificateCaller {
  const subject = certificateSubject(certificate);
  return subject === undefined ? malformed : { outcome: "trusted", ...subject };
}
