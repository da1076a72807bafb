import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeFileAtomic } from "../files/write-file-atomic.js";
import { generatePrivateKey, type PrivateKeyType } from "./generate-private-key.js";

/**
 * Sees to it that `file` holds a private key (PEM, mode 0600): makes one of this type when there is none. Only one process
 * may do so for a file at a time. Rejects when what is there is no key.
 */
export async function ensurePrivateKey(file: string, type: PrivateKeyType): Promise<void> {
  const stored = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  });
  if (stored !== undefined) {
    const key = createPrivateKey(stored);
    if (key.asymmetricKeyType === "ec" && stored.includes("-----BEGIN PRIVATE KEY-----")) {
      await write(file, key);
    }
    return;
  }
  const { privateKey } = await generatePrivateKey(type);
  await write(file, privateKey);
}

/** API servers of v1.29 find no public key in an EC key in PKCS#8, which is how it was written once. */
async function write(file: string, key: KeyObject): Promise<void> {
  const type = key.asymmetricKeyType === "ec" ? "sec1" : "pkcs8";
  await writeFileAtomic(file, key.export({ type, format: "pem" }), { mode: 0o600 });
}
