import { chmod, lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { makeFolder } from "@gatehouse/component-base/files";
import { CredentialError } from "../plugin/credential-error.js";

/** The folder in which a program of the OS user who runs this keeps what can be had again. */
export function cacheFolderOf(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  return join(userCacheFolder(env, platform), "gatehouse", program);
}

function userCacheFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const home = env["HOME"] || homedir();
  switch (platform) {
    case "darwin":
      return join(home, "Library", "Caches");
    case "win32":
      return env["LOCALAPPDATA"] || join(env["USERPROFILE"] || homedir(), "AppData", "Local");
    default: {
      // A relative path counts as unset (XDG Base Directory Specification).
      const stated = env["XDG_CACHE_HOME"] ?? "";
      return isAbsolute(stated) ? stated : join(home, ".cache");
    }
  }
}

/**
 * Makes the folder if it is missing, for its owner alone (0700). Throws CredentialError when it belongs to somebody else or
 * is no folder: who owns it can replace what lies in it.
 */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    const found = await lstat(folder);
    if (!found.isDirectory()) {
      throw new CredentialError(`${folder} is not a folder, or a link to one`);
    }
    if (process.getuid !== undefined && found.uid !== process.getuid()) {
      throw new CredentialError(`${folder} belongs to another user, so no credentials are kept there`);
    }
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
      await chmod(folder, 0o700);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      throw new CredentialError(`the cache folder ${folder} cannot be used (${error.code})`);
    }
    throw error;
  }
}
