import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { type PrivateKeyForm, pemBlocks, privateKeyOf } from "@gatehouse/component-base/pki";
import { certificateOf } from "@gatehouse/component-base/tls";

/** Algorithms by curve, in Node's names for curves. */
const curveAlgorithms: ReadonlyMap<string, string> = new Map([
  ["prime256v1", "ES256"],
  ["secp384r1", "ES384"],
  ["secp521r1", "ES512"],
]);
const formsByLabel: ReadonlyMap<string, PrivateKeyForm> = new Map([
  ["RSA PRIVATE KEY", "pkcs1"],
  ["EC PRIVATE KEY", "sec1"],
  ["PRIVATE KEY", "pkcs8"],
]);
const rsaAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];

/** A public key that tokens are verified with. */
export interface VerificationKey {
  readonly key: KeyObject;
  /** The identifier, made of the key: the digest of its DER form (SHA-256, base64url). */
  readonly id: string;
  /** The JWS algorithm with which this server signs with such a key. */
  readonly algorithm: string;
  /** The JWS algorithms that are accepted in signatures of such a key. */
  readonly accepted: readonly string[];
}

/**
 * Returns the public keys in PEM text, recognized by the contents of the blocks, not their labels: public keys,
 * certificates, RSA private keys, and EC private keys in their own form (SEC 1); other blocks are ignored. Throws when
 * there is none.
 */
export function verificationKeys(pem: string): readonly VerificationKey[] {
  const keys = [...pemBlocks(pem)].flatMap(({ der }) => {
    const key = publicKeyOf(der);
    const made = key === undefined ? undefined : verificationKey(key);
    return made === undefined ? [] : [made];
  });
  if (keys.length === 0) {
    throw new Error("data does not contain any valid RSA or ECDSA public keys");
  }
  return keys;
}

/**
 * Returns the first private key in PEM text whose contents fit its label. Throws when there is none, or it is no RSA or
 * EC key.
 */
export function signingKey(pem: string): { readonly key: KeyObject; readonly id: string; readonly algorithm: string } {
  for (const { label, der } of pemBlocks(pem)) {
    const found = privateKeyOf(der);
    if (found !== undefined && found.form === formsByLabel.get(label)) {
      const verification = verificationKey(createPublicKey(found.key));
      if (verification === undefined) {
        break;
      }
      return { key: found.key, id: verification.id, algorithm: verification.algorithm };
    }
  }
  throw new Error("data does not contain a valid RSA or ECDSA private key");
}

function publicKeyOf(der: Buffer): KeyObject | undefined {
  const found = privateKeyOf(der);
  if (found !== undefined) {
    // An EC key in the form for any algorithm: v1.29 does not look for one there, and a file that works here works there.
    return found.form === "pkcs8" && found.key.asymmetricKeyType !== "rsa" ? undefined : createPublicKey(found.key);
  }
  return orUndefined(() => certificateOf(der).publicKey) ?? orUndefined(() => wholePublicKey(der));
}

/** Parses a public key. Throws if bytes follow it, which OpenSSL would ignore. */
function wholePublicKey(der: Buffer): KeyObject {
  const key = createPublicKey({ key: der, format: "der", type: "spki" });
  if (key.export({ type: "spki", format: "der" }).length !== der.length) {
    throw new Error("there are bytes after the key");
  }
  return key;
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
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
