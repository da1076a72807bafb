import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { certificatesOf, certificatesShownWith } from "../tls/certificates-of.js";
import { type OtherVerdict, problemOfVerdict, standingVerdict } from "../tls/openssl-verdict.js";
import { type ChainProblem, chainProblem, outOfTime } from "../tls/verify-chain.js";

/** A reason for which a server's certificate is not taken, in the order in which Go looks: its time, its name, its chain. */
export type CertificateProblem =
  | ChainProblem
  | { readonly kind: "common-name-only" }
  | { readonly kind: "wrong-name"; readonly wanted: string; readonly names: readonly string[] }
  | OtherVerdict;

/** A connection was refused because of the certificate that the server has shown. */
export class ServerCertificateError extends Error {
  override readonly name = "ServerCertificateError";
  readonly problem: CertificateProblem;
  /** Time at which the fault was found. */
  readonly at: Date;

  constructor(problem: CertificateProblem, at: Date) {
    super(`the server's certificate is not trusted (${problem.kind})`);
    this.problem = problem;
    this.at = at;
  }
}

/** Result of a handshake: the certificate, and OpenSSL's verdict on its chain (`undefined`: trusted). */
export interface ShownCertificate {
  readonly certificate: X509Certificate;
  readonly chainError: string | undefined;
  /** Authorities that may have signed it, as PEM; `undefined` for those of the host. */
  readonly authoritiesPem: string | undefined;
  /** Host name or address that must be in the certificate. */
  readonly wanted: string;
  readonly now: Date;
}

/**
 * Finds the first thing that is wrong with a server's certificate; `undefined`: nothing is. Common names are not looked
 * at, as in Go. Where OpenSSL has found no way to an authority, the way is searched as Go does it.
 */
export async function certificateProblem(shown: ShownCertificate): Promise<CertificateProblem | undefined> {
  const { certificate, wanted, now, chainError } = shown;
  const problem = outOfTime(certificate, now) ?? nameProblem(certificate, wanted);
  return problem !== undefined || chainError === undefined ? problem : await searchedChainProblem(shown, chainError);
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

async function searchedChainProblem(
  { certificate, authoritiesPem, now }: ShownCertificate,
  chainError: string,
): Promise<CertificateProblem | undefined> {
  // The authorities of the host are those of the Internet, which name their servers otherwise.
  if (authoritiesPem === undefined) {
    return problemOfVerdict(chainError);
  }
  const authorities = certificatesOf(authoritiesPem);
  const shown = certificatesShownWith(certificate);
  const problem = await chainProblem({ certificate, use: "server", shown, authorities, now });
  return problem ?? standingVerdict(chainError);
}
