import type { SignatureProblem } from "./check-signature.js";
import type { OtherVerdict } from "./openssl-verdict.js";
import type { AuthorityHint, ChainProblem, IssuerProblem } from "./verify-chain.js";

/** Tells a problem, found at a time, in the words of Go's verifier, after its prefix `x509: `. */
export function chainProblemText(problem: ChainProblem | OtherVerdict, at: Date): string {
  switch (problem.kind) {
    case "unknown-authority":
      return `certificate signed by unknown authority${problem.hint === undefined ? "" : ` ${hintText(problem.hint, at)}`}`;
    case "wrong-use":
      return "certificate specifies an incompatible key usage";
    case "other":
      return `certificate is not valid (${problem.code})`;
    default:
      return issuerText(problem, at);
  }
}

function hintText({ problem, authority }: AuthorityHint, at: Date): string {
  const reason =
    problem.kind === "wrong-signature" && problem.keyType === "rsa"
      ? "crypto/rsa: verification error"
      : `x509: ${issuerText(problem, at)}`;
  return `(possibly because of ${JSON.stringify(reason)} while trying to verify candidate authority certificate ${JSON.stringify(authority)})`;
}

const algorithmNames = { rsa: "RSA", ec: "ECDSA", ed25519: "Ed25519" };
const keyTypeNames = { rsa: "*rsa.PublicKey", ec: "*ecdsa.PublicKey", ed25519: "ed25519.PublicKey" };

function issuerText(problem: IssuerProblem | SignatureProblem, at: Date): string {
  const outOfTime = "certificate has expired or is not yet valid: current time";
  switch (problem.kind) {
    case "expired":
      return `${outOfTime} ${rfc3339(at)} is after ${rfc3339(problem.notAfter)}`;
    case "not-yet-valid":
      return `${outOfTime} ${rfc3339(at)} is before ${rfc3339(problem.notBefore)}`;
    case "unhandled-extension":
      return "unhandled critical extension";
    case "path-too-long":
      return "too many intermediates for path length constraint";
    case "may-not-sign":
      return "invalid signature: parent certificate cannot sign this kind of certificate";
    case "unsupported-algorithm":
      return "cannot verify signature: algorithm unimplemented";
    case "insecure-algorithm":
      return `cannot verify signature: insecure algorithm ${problem.algorithm}`;
    case "other-key-type":
      return `signature algorithm specifies an ${algorithmNames[problem.signedBy]} public key, but have public key of type ${keyTypeNames[problem.keyType]}`;
    case "wrong-signature":
      return `${algorithmNames[problem.keyType]} verification failure`;
  }
}

/** Go prints times without fractions. */
function rfc3339(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
