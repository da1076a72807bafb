import type { KeyObject, X509Certificate } from "node:crypto";
import type { IssuerFacts } from "./issuer-facts.js";

/** A type of key by which certificates may be signed, as Node names it. */
export type KeyType = "rsa" | "ec" | "ed25519";

/** A reason for which a certificate does not count as signed by an authority of the name of its issuer. */
export type SignatureProblem =
  | { readonly kind: "may-not-sign" }
  | { readonly kind: "unsupported-algorithm" }
  /** `algorithm` as Go names it, like `SHA1-RSA`. */
  | { readonly kind: "insecure-algorithm"; readonly algorithm: string }
  /** Types of key, as Node names them: the one of the signature, and the one that the authority has. */
  | { readonly kind: "other-key-type"; readonly signedBy: KeyType; readonly keyType: KeyType }
  | { readonly kind: "wrong-signature"; readonly keyType: KeyType };

const insecureAlgorithms: ReadonlyMap<string, string> = new Map([
  ["1.2.840.113549.1.1.4", "MD5-RSA"],
  ["1.2.840.113549.1.1.5", "SHA1-RSA"],
  ["1.2.840.10045.4.1", "ECDSA-SHA1"],
]);

/**
 * The types of key by which certificates may be signed, by the algorithm of the signature. Go knows RSASSA-PSS as well, whose
 * strength is in parameters.
 */
const keyTypes: ReadonlyMap<string, KeyType> = new Map<string, KeyType>([
  ["1.2.840.113549.1.1.11", "rsa"],
  ["1.2.840.113549.1.1.12", "rsa"],
  ["1.2.840.113549.1.1.13", "rsa"],
  ["1.2.840.10045.4.3.2", "ec"],
  ["1.2.840.10045.4.3.3", "ec"],
  ["1.2.840.10045.4.3.4", "ec"],
  ["1.3.101.112", "ed25519"],
]);

const curves: ReadonlySet<unknown> = new Set(["prime256v1", "secp224r1", "secp384r1", "secp521r1"]);
/** Below it OpenSSL trusts none; above the upper bound Go connects to no server, because each check takes long. */
const rsaBits = { min: 1024, max: 8192 };

/** Says why `issuer` has not signed a certificate of this algorithm; `undefined`: it has. Names are not compared. */
export function signatureProblem(
  certificate: X509Certificate,
  { signatureAlgorithm }: IssuerFacts,
  issuer: X509Certificate,
  { maySign }: IssuerFacts,
): SignatureProblem | undefined {
  if (!maySign) {
    return { kind: "may-not-sign" };
  }
  const algorithm = insecureAlgorithms.get(signatureAlgorithm);
  if (algorithm !== undefined) {
    return { kind: "insecure-algorithm", algorithm };
  }
  const { publicKey } = issuer;
  const signedBy = keyTypes.get(signatureAlgorithm);
  const keyType = supportedType(publicKey);
  if (signedBy === undefined || keyType === undefined) {
    return { kind: "unsupported-algorithm" };
  }
  if (signedBy !== keyType) {
    return { kind: "other-key-type", signedBy, keyType };
  }
  return certificate.verify(publicKey) ? undefined : { kind: "wrong-signature", keyType };
}

function supportedType({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): KeyType | undefined {
  const { modulusLength = 0, namedCurve } = asymmetricKeyDetails;
  switch (asymmetricKeyType) {
    case "rsa":
      return modulusLength < rsaBits.min || modulusLength > rsaBits.max ? undefined : "rsa";
    case "ec":
      return curves.has(namedCurve) ? "ec" : undefined;
    case "ed25519":
      return "ed25519";
    default:
      return undefined;
  }
}
