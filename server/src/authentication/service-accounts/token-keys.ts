import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

/** Algorithms by curve, in Node's names for curves. */
const curveAlgorithms: ReadonlyMap<string, string> = new Map([
  ["prime256v1", "ES256"],
  ["secp384r1", "ES384"],
  ["secp521r1", "ES512"],
]);
const rsaAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];

/** A public key that tokens are verified with. */
export interface VerificationKey {
  readonly key: KeyObject;
  /** Made of the key itself, and tells nothing of it: digest of its DER form (SHA-256, base64url). */
  readonly id: string;
  /** What this server signs with such a key. */
  readonly algorithm: string;
  /** What is believed when it is signed with it. */
  readonly accepted: readonly string[];
}

/**
 * The public keys in PEM text: of public keys, private keys (RSA and EC) and certificates; other blocks are passed over.
 * Throws when there is none.
 */
export function verificationKeys(pem: string): readonly VerificationKey[] {
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g) ?? [];
  const keys = blocks.flatMap((block) => {
    const key = publicKeyOf(block);
    const made = key === undefined ? undefined : verificationKey(key);
    return made === undefined ? [] : [made];
  });
  if (keys.length === 0) {
    throw new Error("data does not contain any valid RSA or ECDSA public keys");
  }
  return keys;
}

/** The private key in PEM text. Throws for what is no RSA or EC key. */
export function signingKey(pem: string): { readonly key: KeyObject; readonly id: string; readonly algorithm: string } {
  const key = createPrivateKey(pem);
  const verification = verificationKey(createPublicKey(pem));
  if (verification === undefined) {
    throw new Error("data does not contain a valid RSA or ECDSA private key");
  }
  return { key, id: verification.id, algorithm: verification.algorithm };
}

function publicKeyOf(block: string): KeyObject | undefined {
  try {
    return block.startsWith("-----BEGIN CERTIFICATE-----")
      ? new X509Certificate(block).publicKey
      : createPublicKey(block);
  } catch {
    return undefined;
  }
}

function verificationKey(key: KeyObject): VerificationKey | undefined {
  const id = createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
  if (key.asymmetricKeyType === "rsa") {
    return { key, id, algorithm: "RS256", accepted: rsaAlgorithms };
  }
  const algorithm = curveAlgorithms.get(key.asymmetricKeyDetails?.namedCurve ?? "");
  return algorithm === undefined ? undefined : { key, id, algorithm, accepted: [algorithm] };
}
