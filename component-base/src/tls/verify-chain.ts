import type { X509Certificate } from "node:crypto";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { type SignatureProblem, signatureProblem } from "./check-signature.js";
import { type IssuerFacts, loadIssuerFacts } from "./issuer-facts.js";

/** The time of a certificate is over, or yet to come. */
export type OutOfTime =
  | { readonly kind: "expired"; readonly notAfter: Date }
  | { readonly kind: "not-yet-valid"; readonly notBefore: Date };

/** A reason for which a certificate cannot be in a chain, whoever has signed it. */
export type IssuerProblem = OutOfTime | { readonly kind: "unhandled-extension" } | { readonly kind: "path-too-long" };

/** A reason for which no chain of certificates leads to an authority. */
export type ChainProblem =
  | IssuerProblem
  | { readonly kind: "unknown-authority"; readonly hint?: AuthorityHint }
  | { readonly kind: "wrong-use" };

/** The first certificate of the issuer's name, and why it is not the issuer. */
export interface AuthorityHint {
  readonly problem: SignatureProblem | IssuerProblem;
  /** Common name of the authority; without one its organization or serial number, as in Go's text. */
  readonly authority: string;
}

/** The use of a certificate: its holder shows it as a server, or as a client. */
export type CertificateUse = "server" | "client";

/** A certificate that was shown in a handshake, and what may lead from it to an authority. */
export interface ChainQuestion {
  readonly certificate: X509Certificate;
  readonly use: CertificateUse;
  /** Certificates that were shown with it. */
  readonly shown: readonly X509Certificate[];
  readonly authorities: readonly X509Certificate[];
  readonly now: Date;
}

/** The limit that Go has: enough for any real chain, and a bound for those that are made to be searched for long. */
const maxSignatureChecks = 100;
/** Number of signatures that are checked in one step: strangers may make a server search. */
const signatureChecksPerStep = 4;
const usages: Readonly<Record<CertificateUse, string>> = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" };
const anyUse = "2.5.29.37.0";

/**
 * Says why a certificate is not trusted for its use; `undefined`: it is. Follows RFC 5280 as Go's verifier does: every
 * certificate of the issuer's name is tried, be it self-signed or not, and whatever key identifiers say. Each signature,
 * time, basic constraint, key usage, path length, critical extension and extended key usage (nested) of a chain is checked.
 * Authorities with constraints on names or policies are refused, because those are not evaluated. Names of servers
 * are not looked at.
 */
export async function chainProblem(question: ChainQuestion): Promise<ChainProblem | undefined> {
  return new ChainSearch(question, await loadIssuerFacts()).problem();
}

interface Found {
  readonly chains: readonly (readonly X509Certificate[])[];
  /** Reason why there are no more chains. */
  readonly problem?: ChainProblem | undefined;
}

class ChainSearch {
  readonly #question: ChainQuestion;
  readonly #readFacts: (certificate: X509Certificate) => IssuerFacts;
  readonly #facts = new Map<X509Certificate, IssuerFacts>();
  #signatureChecks = 0;

  constructor(question: ChainQuestion, readFacts: (certificate: X509Certificate) => IssuerFacts) {
    this.#question = question;
    this.#readFacts = readFacts;
  }

  async problem(): Promise<ChainProblem | undefined> {
    const { certificate, use, authorities } = this.#question;
    const own = this.#problemOf(certificate, []);
    if (own !== undefined) {
      return own;
    }
    const isTrustedItself = authorities.some(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256);
    const { chains, problem }: Found = isTrustedItself
      ? { chains: [[certificate]] }
      : await this.#chainsFrom([certificate]);
    if (chains.length === 0) {
      return problem ?? { kind: "unknown-authority" };
    }
    return chains.some((chain) => chain.every((link) => allows(link, use))) ? undefined : { kind: "wrong-use" };
  }

  /** Finds all chains to an authority that begin with `chain`. Of several problems the last one is told, as Go does. */
  async #chainsFrom(chain: readonly X509Certificate[]): Promise<Found> {
    const chains: (readonly X509Certificate[])[] = [];
    let problem: ChainProblem | undefined;
    let hint: AuthorityHint | undefined;
    for (const { candidate, isAuthority } of this.#possibleIssuers(chain)) {
      if (++this.#signatureChecks > maxSignatureChecks) {
        break;
      }
      if (this.#signatureChecks % signatureChecksPerStep === 0) {
        await yieldToEventLoop();
      }
      const unsigned = this.#signatureProblem(chain, candidate);
      if (unsigned !== undefined) {
        hint ??= { problem: unsigned, authority: displayName(candidate) };
        continue;
      }
      problem = this.#problemOf(candidate, chain);
      if (problem !== undefined) {
        hint ??= { problem, authority: displayName(candidate) };
        continue;
      }
      const longer = [...chain, candidate];
      const found: Found = isAuthority ? { chains: [longer] } : await this.#chainsFrom(longer);
      chains.push(...found.chains);
      problem = found.problem;
    }
    return { chains, problem: problem ?? { kind: "unknown-authority", ...(hint === undefined ? {} : { hint }) } };
  }

  /**
   * Lists the certificates of the issuer's name that are not in the chain yet: authorities first, then what was shown.
   * Names are compared as text; the signature decides.
   */
  #possibleIssuers(chain: readonly X509Certificate[]) {
    const issuer = chain.at(-1)?.issuer;
    const { authorities, shown } = this.#question;
    return [
      ...authorities.map((candidate) => ({ candidate, isAuthority: true })),
      ...shown.map((candidate) => ({ candidate, isAuthority: false })),
    ].filter(({ candidate }) => candidate.subject === issuer && !chain.some((known) => isSameHolder(known, candidate)));
  }

  #signatureProblem(chain: readonly X509Certificate[], issuer: X509Certificate): SignatureProblem | undefined {
    const certificate = chain.at(-1) ?? this.#question.certificate;
    return signatureProblem(certificate, this.#factsOf(certificate), issuer, this.#factsOf(issuer));
  }

  /** Says what is wrong with a certificate at the end of a chain, apart from signatures. */
  #problemOf(certificate: X509Certificate, chain: readonly X509Certificate[]): IssuerProblem | undefined {
    const { now } = this.#question;
    const { hasUnhandledExtension, pathLength } = this.#factsOf(certificate);
    const intermediates = chain.length - 1;
    return hasUnhandledExtension
      ? { kind: "unhandled-extension" }
      : (outOfTime(certificate, now) ??
          (pathLength !== undefined && intermediates > pathLength ? { kind: "path-too-long" } : undefined));
  }

  #factsOf(certificate: X509Certificate): IssuerFacts {
    let facts = this.#facts.get(certificate);
    if (facts === undefined) {
      facts = this.#readFacts(certificate);
      this.#facts.set(certificate, facts);
    }
    return facts;
  }
}

/** Says whether a certificate's time is over or yet to come; `undefined`: neither. */
export function outOfTime({ validFrom, validTo }: X509Certificate, now: Date): OutOfTime | undefined {
  const notBefore = new Date(validFrom);
  const notAfter = new Date(validTo);
  if (now < notBefore) {
    return { kind: "not-yet-valid", notBefore };
  }
  return now > notAfter ? { kind: "expired", notAfter } : undefined;
}

/** Says whether Go takes two certificates for one, which keeps it from passing cross-signed authorities twice. */
function isSameHolder(one: X509Certificate, other: X509Certificate): boolean {
  return (
    one.subject === other.subject &&
    one.subjectAltName === other.subjectAltName &&
    one.publicKey.equals(other.publicKey)
  );
}

/** Says whether the extended key usage, which Node calls the key usage, allows a use. */
function allows({ keyUsage: allowed }: X509Certificate, use: CertificateUse): boolean {
  return allowed === undefined || allowed.includes(usages[use]) || allowed.includes(anyUse);
}

function displayName(certificate: X509Certificate): string {
  const { CN, O } = certificate.toLegacyObject().subject;
  return [CN].flat().at(-1) || [O].flat()[0] || `serial:${BigInt(`0x${certificate.serialNumber}`)}`;
}
