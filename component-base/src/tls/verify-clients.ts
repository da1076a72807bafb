import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { certificatesOf, certificatesShownWith } from "./certificates-of.js";
import { chainProblemText } from "./chain-problem-text.js";
import { isTrustedBy } from "./is-trusted-by.js";
import { standingVerdict } from "./openssl-verdict.js";
import { peerCertificateOf } from "./peer-certificate.js";
import { chainProblem } from "./verify-chain.js";

/** The certificate of a client. */
export interface VerifiedCertificate {
  readonly certificate: X509Certificate;
  /**
   * Reason why it is not trusted, in the words of Go's verifier; `undefined` if it is. Its validity period is checked
   * apart.
   */
  readonly problem: string | undefined;
}

/** The authorities of clients, and the conclusion that is drawn of a connection. */
export interface ClientVerificationOptions<T> {
  /** The authorities that are trusted now, as PEM; asked for with each request. */
  readonly authorities: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** True if handshakes may have been judged by more, or other, authorities than these. */
  readonly otherAuthorities: boolean;
  /** Called once for a connection, and again when the authorities change; `undefined`: no certificate was shown. */
  readonly conclude: (shown: VerifiedCertificate | undefined) => T;
}

/** Tells the conclusion of a connection: a promise only while an authority is being searched for. */
export type ConcludeConnection<T> = (socket: TLSSocket) => T | Promise<T>;

interface Authorities {
  readonly pem: string;
  readonly certificates: readonly X509Certificate[];
}

interface Concluded<T> {
  readonly authoritiesPem: string;
  conclusion: T | Promise<T>;
}

/**
 * Verifies the certificates of clients as Go does. Where OpenSSL trusts one, that is all; where its verdict is one in which
 * Go may differ, the way to an authority is searched anew. A connection shows its certificate once, so what is concluded
 * of it is kept with it for as long as the authorities stay the same: connections outlive those that are trusted no more.
 */
export function verifyClients<T>(options: ClientVerificationOptions<T>): ConcludeConnection<T> {
  const concluded = new WeakMap<TLSSocket, Concluded<T>>();
  let authorities: Authorities = { pem: "", certificates: [] };

  const concludeAnew = (socket: TLSSocket, pem: string, isFirst: boolean): T | Promise<T> => {
    const certificate = peerCertificateOf(socket);
    if (certificate === undefined) {
      return options.conclude(undefined);
    }
    if (authorities.pem !== pem) {
      authorities = { pem, certificates: certificatesOf(pem) };
    }
    const { certificates } = authorities;
    const now = options.now();
    const isJudgedByThese = isFirst && !options.otherAuthorities;
    if (
      socket.authorized &&
      (isJudgedByThese || isTrustedBy(certificates, certificate, certificatesShownWith(certificate), now))
    ) {
      return options.conclude({ certificate, problem: undefined });
    }
    const searched = searchProblem(socket, certificate, certificates, new Date(now));
    return searched.then((problem) => options.conclude({ certificate, problem }));
  };

  return (socket) => {
    const authoritiesPem = options.authorities();
    const known = concluded.get(socket);
    if (known?.authoritiesPem === authoritiesPem) {
      return known.conclusion;
    }
    const conclusion = concludeAnew(socket, authoritiesPem, known === undefined);
    const kept: Concluded<T> = { authoritiesPem, conclusion };
    concluded.set(socket, kept);
    if (conclusion instanceof Promise) {
      return conclusion.then((found) => {
        kept.conclusion = found;
        return found;
      });
    }
    return conclusion;
  };
}

/**
 * Says why no authority stands behind a certificate. Verdicts of OpenSSL that Go has no other opinion on stand, even where
 * the search finds a way. A certificate that cannot be read is not trusted.
 */
async function searchProblem(
  socket: TLSSocket,
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  now: Date,
): Promise<string | undefined> {
  const standing = socket.authorized ? undefined : standingVerdict(verdictOf(socket));
  try {
    const shown = certificatesShownWith(certificate);
    const problem = (await chainProblem({ certificate, use: "client", shown, authorities, now })) ?? standing;
    return problem === undefined ? undefined : chainProblemText(problem, now);
  } catch {
    return "malformed certificate";
  }
}

/** Node gives servers the code of the verdict, whatever its types say. */
function verdictOf(socket: TLSSocket): string {
  const error: unknown = socket.authorizationError;
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
