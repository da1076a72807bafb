import { createPrivateKey, type KeyObject } from "node:crypto";

/** Encoding of a private key: RFC 5208, RFC 8017, or that of elliptic curves (RFC 5915). */
export type PrivateKeyForm = "pkcs8" | "pkcs1" | "sec1";

/**
 * The private key in DER form, and which form it is, whatever a label says; undefined when it is none. The form for any
 * algorithm is tried first: OpenSSL takes it for the others as well. From Node 22 on it takes those for each other, too;
 * which of them a key is in tells its algorithm.
 */
export function privateKeyOf(der: Buffer): { readonly key: KeyObject; readonly form: PrivateKeyForm } | undefined {
  for (const type of ["pkcs8", "pkcs1", "sec1"] as const) {
    try {
      const key = createPrivateKey({ key: der, format: "der", type });
      return { key, form: type === "pkcs8" ? type : key.asymmetricKeyType === "rsa" ? "pkcs1" : "sec1" };
    } catch {
      // The next form is tried.
    }
  }
  return undefined;
}
