import { CompactSign } from "jose";
import type { Payload } from "./token-claims.js";
import { signingKey } from "./token-keys.js";

/** An issuer of service account tokens. */
export interface TokenSigner {
  /** A signed token with these claims and the issuer's name. */
  sign(claims: Payload): Promise<string>;
}

/** Signs with a private key in PEM text (RSA: RS256, EC: what fits the curve). Throws when it is none. */
export function tokenSigner(issuer: string, privateKeyPem: string): TokenSigner {
  const { key, id, algorithm } = signingKey(privateKeyPem);
  return {
    sign(claims) {
      // Members in the order of their names, as v1.29 has them.
      const entries = Object.entries({ ...claims, iss: issuer }).sort(([left], [right]) => (left < right ? -1 : 1));
      return new CompactSign(Buffer.from(JSON.stringify(Object.fromEntries(entries))))
        .setProtectedHeader({ alg: algorithm, kid: id })
        .sign(key);
    },
  };
}
