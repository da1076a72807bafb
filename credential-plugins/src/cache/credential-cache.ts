import { createHash } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import { CredentialError } from "../plugin/credential-error.js";
import { ensurePrivateFolder } from "./cache-folder.js";
import { type CachedCredential, parseCachedCredential } from "./cached-credential.js";
import { acquireFileLock, type FileLockOptions } from "./file-lock.js";

/** The cache of one login: a file for its owner alone, and a lock beside it. */
export interface CredentialCache {
  /** Reads the cache; undefined when there is none, or none that can be trusted: damaged, or accessible to others. */
  read(): Promise<CachedCredential | undefined>;
  write(entry: CachedCredential): Promise<void>;
  remove(): Promise<void>;
  /** Takes the lock. While it is held, no other process requests this credential. */
  lock(options: FileLockOptions): Promise<AsyncDisposable>;
}

/** Larger than any credential: a Kerberos user of many groups has tokens of some ten thousand bytes. */
const maxBytes = 1024 * 1024;

/** The cache of the login that these texts tell from all others. `tell` hears, once, why what is there is not believed. */
export async function openCredentialCache(
  folder: string,
  key: readonly unknown[],
  tell: (line: string) => void,
): Promise<CredentialCache> {
  await ensurePrivateFolder(folder);
  const name = createHash("sha256").update(JSON.stringify(key)).digest("hex");
  const path = join(folder, `${name}.json`);
  let told = false;

  async function read(): Promise<CachedCredential | undefined> {
    const found = await readPrivateFile(path);
    if (found === undefined) {
      return undefined;
    }
    const entry = found.refusal === undefined ? parseCachedCredential(found.text) : undefined;
    if (entry === undefined && !told) {
      told = true;
      tell(`The cached credential ${path} ${found.refusal ?? "is damaged"}, and is not used.`);
    }
    return entry;
  }

  return {
    read: () => telling(path, read),
    write: (entry) => telling(path, () => writeFileAtomic(path, JSON.stringify(entry), { mode: 0o600 })),
    remove: () => telling(path, () => rm(path, { force: true })),
    lock: (options) => telling(path, () => acquireFileLock(join(folder, `${name}.lock`), options)),
  };
}

/** Reads a file for its owner alone; undefined when there is none. */
async function readPrivateFile(
  path: string,
): Promise<{ readonly text: string; readonly refusal?: string } | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
  try {
    const { mode, size } = await file.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      return { text: "", refusal: `is open to others (mode ${(mode & 0o777).toString(8)})` };
    }
    return size > maxBytes ? { text: "", refusal: "is too large" } : { text: await file.readFile("utf8") };
  } finally {
    await file.close();
  }
}

/** A disk that is full or cannot be written is for the person to mend. */
async function telling<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Error && "syscall" in error && "code" in error) {
      throw new CredentialError(`the credential cache ${path} cannot be used (${error.code})`);
    }
    throw error;
  }
}
