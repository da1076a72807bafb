import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";

/**
 * A type of private key. `rsa` (2048 bits) is read by every library and takes a tenth of a second and more to make; `ec`
 * (P-256) is made in under a millisecond.
 */
export type PrivateKeyType = "rsa" | "ec";

/** Generates a key pair away from the event loop. */
export function generatePrivateKey(
  type: PrivateKeyType,
): Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }> {
  const generate = promisify(generateKeyPair);
  return type === "ec" ? generate("ec", { namedCurve: "P-256" }) : generate("rsa", { modulusLength: 2048 });
}
