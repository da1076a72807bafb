import type { ChainProblem } from "./verify-chain.js";

/** A verdict of OpenSSL that stands. */
export interface OtherVerdict {
  readonly kind: "other";
  /** OpenSSL's name for it, such as `CERT_REVOKED`. */
  readonly code: string;
}

/**
 * Verdicts of OpenSSL about who has issued what and for which use, in which it goes other ways than Go: it takes whatever
 * bears its issuer's name for self-signed (Go writes no identifier of the authority's key then), tries one authority of a
 * name only, heeds identifiers of keys, and knows no extended key usage "any". All other verdicts stand.
 */
const reconsidered: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_SIGNATURE_FAILURE",
  "INVALID_PURPOSE",
]);

/** Returns the verdict when it stands whatever a search for an authority finds; `undefined`: the search decides. */
export function standingVerdict(code: string): OtherVerdict | undefined {
  return reconsidered.has(code) ? undefined : { kind: "other", code };
}

/** Returns a verdict as the problem that it is, where no search is made. */
export function problemOfVerdict(code: string): ChainProblem | OtherVerdict {
  return standingVerdict(code) ?? { kind: code === "INVALID_PURPOSE" ? "wrong-use" : "unknown-authority" };
}
