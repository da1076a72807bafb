import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import {
  certificateSubject,
  certificatesOf,
  certificatesShownWith,
  isTrustedBy,
  peerCertificateOf,
} from "@gatehouse/component-base";
import { type AuthenticationDecision, type Authenticator, noOpinion, rejected } from "./authenticator.js";
import { isIssuedForAnyUse } from "./issued-for-any-use.js";

interface Validity {
  readonly decision: AuthenticationDecision;
  /** The authorities that it was found with. */
  readonly authorities: string;
  /** The decision holds from and until then, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  /** When the certificate ends, whatever is thought of it; undefined where none was shown. */
  readonly notAfter: number | undefined;
}

const expired: AuthenticationDecision = rejected("certificate has expired");
const notYet: AuthenticationDecision = rejected("certificate is not yet valid");

/** Who is trusted, and who wants to know of certificates. */
export interface ClientCertificateOptions {
  /** The certificates that are trusted now, as PEM; asked for with each request. */
  readonly authorities: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** TLS trusts more than these, for other purposes. */
  readonly otherAuthorities: boolean;
  /** Told with each request that comes with a certificate for how long it is good yet, in seconds. */
  readonly shown: (remainingSeconds: number) => void;
}

/**
 * Users by client certificate, signed by an authority of `--client-ca-file`: the common name is the user, the
 * organizations are the groups. A connection shows its certificate once, so its decision is kept with it, for as long as
 * the authorities stay the same: connections outlive those that are trusted no more. The time is looked at with each
 * request, since a resumed session comes with the verdict of the first handshake.
 */
export function clientCertificateAuthenticator(options: ClientCertificateOptions): Authenticator {
  const { authorities, now, otherAuthorities, shown } = options;
  const decisions = new WeakMap<object, Validity>();
  return {
    authenticate({ socket }) {
      if (socket === undefined) {
        return noOpinion;
      }
      const trusted = authorities();
      let known = decisions.get(socket);
      if (known === undefined) {
        const first = otherAuthorities ? decideAnew : decide;
        known = { ...first(socket, trusted, now()), authorities: trusted };
        decisions.set(socket, known);
      } else if (known.authorities !== trusted) {
        known = { ...decideAnew(socket, trusted, now()), authorities: trusted };
        decisions.set(socket, known);
      }
      const time = now();
      if (known.notAfter !== undefined) {
        shown((known.notAfter - time) / 1000);
      }
      return time > known.until ? expired : time < known.from ? notYet : known.decision;
    },
  };
}

type Decided = Omit<Validity, "authorities">;

/** OpenSSL has judged the certificate by other authorities: by those of before, or by those of front proxies as well. */
function decideAnew(socket: TLSSocket, authorities: string, now: number): Decided {
  const certificate = peerCertificateOf(socket);
  const decided = decide(socket, authorities, now);
  if (certificate === undefined || decided.decision.outcome !== "authenticated") {
    return decided;
  }
  return isTrustedBy(certificatesOf(authorities), certificate, certificatesShownWith(certificate), now)
    ? decided
    : always(rejected("x509: certificate signed by unknown authority"), decided.notAfter);
}

function decide(socket: TLSSocket, authorities: string, now: number): Decided {
  const certificate = peerCertificateOf(socket);
  if (certificate === undefined) {
    return always(noOpinion);
  }
  const notAfter = Date.parse(certificate.validTo);
  if (!socket.authorized && !isTrustedAnyway(socket, certificate, authorities, now)) {
    return always(rejected(`x509: ${socket.authorizationError ?? "not signed by a trusted authority"}`), notAfter);
  }
  const subject = certificateSubject(certificate);
  if (subject === undefined) {
    return always(rejected("x509: the subject of the certificate is malformed"), notAfter);
  }
  const { commonName, organizations } = subject;
  if (commonName === "") {
    return always(noOpinion, notAfter);
  }
  return {
    decision: { outcome: "authenticated", user: { username: commonName, groups: organizations } },
    from: Date.parse(certificate.validFrom),
    until: notAfter,
    notAfter,
  };
}

function always(decision: AuthenticationDecision, notAfter?: number): Decided {
  return { decision, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, notAfter };
}

/** OpenSSL does not take a certificate for any use as one for clients; Go does. */
function isTrustedAnyway(socket: TLSSocket, leaf: X509Certificate, authorities: string, now: number): boolean {
  const { authorizationError } = socket as { authorizationError?: unknown };
  const code =
    authorizationError instanceof Error ? (authorizationError as { code?: string }).code : authorizationError;
  return code === "INVALID_PURPOSE" && isIssuedForAnyUse(leaf, authorities, now);
}
