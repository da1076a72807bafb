import { readFile } from "node:fs/promises";

/** A secret in a file, which may be replaced. */
export interface SecretFile {
  /** Returns the text without surrounding blanks. Rejects while the file has never held any. */
  read(): Promise<string>;
}

const lifetimeMs = 10_000;

/**
 * Returns a secret that is read when it is first needed and again from time to time. While the file cannot be read, its
 * last text stays valid.
 */
export function secretFile(path: string): SecretFile {
  let secret: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async read() {
      if (secret === undefined || performance.now() - readAt >= lifetimeMs) {
        const text = (await readFile(path, "utf8").catch(() => "")).trim();
        // A file that is being replaced may be empty or gone for a moment.
        secret = text === "" ? secret : text;
        readAt = performance.now();
      }
      if (secret === undefined) {
        throw new Error(`${path} holds no secret`);
      }
      return secret;
    },
  };
}
