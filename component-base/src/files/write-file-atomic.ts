import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "./sync-directory.js";

/**
 * Replaces a file so that a reader, or the machine after a loss of power, sees the old content or the new one and never
 * half of it: a temporary file in the same folder, fsync, rename, fsync of the folder.
 * `mode` holds from the first byte on, so a secret is never readable by others in between.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: { readonly mode: number },
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = await open(temporary, "wx", options.mode);
    try {
      // The umask may have taken bits away; a caller that asks for 0644 means it.
      await file.chmod(options.mode);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}
