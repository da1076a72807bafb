import { createPrivateKey, generateKeyPair } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { writeFileAtomic } from "../files/write-file-atomic.js";

/**
 * Sees to it that `file` holds a private key (PEM, mode 0600): makes an RSA key of 2048 bits, which every library can
 * verify with, when there is none. Only one process may do so for a file at a time. Rejects when what is there is no key.
 */
export async function ensurePrivateKey(file: string): Promise<void> {
  const stored = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  });
  if (stored !== undefined) {
    createPrivateKey(stored);
    return;
  }
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  await writeFileAtomic(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
}
