import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeFileAtomic } from "@gatehouse/component-base/files";
import type { KeyShelf, KnownKeys } from "@gatehouse/component-base/identity-tokens";

/** Keeps the last good keys of an issuer in a file of its own below `folder`, readable by the server only. */
export function keyShelf(folder: string, issuerUrl: string): KeyShelf {
  const file = join(folder, `${createHash("sha256").update(issuerUrl).digest("hex")}.json`);
  let written = "";
  return {
    async read() {
      const { issuer, keys, fetchedAtMs } = JSON.parse(await readFile(file, "utf8")) as KnownKeys & { issuer: string };
      return issuer === issuerUrl && Array.isArray(keys) && typeof fetchedAtMs === "number"
        ? { keys, fetchedAtMs }
        : undefined;
    },
    async write({ keys, fetchedAtMs }) {
      const content = JSON.stringify({ issuer: issuerUrl, fetchedAtMs, keys });
      if (content !== written) {
        await makeFolder(folder, 0o700);
        await writeFileAtomic(file, content, { mode: 0o600 });
        written = content;
      }
    },
  };
}
