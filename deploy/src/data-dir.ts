import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolderSync } from "@gatehouse/component-base/files";
import { StartError, systemErrorCode } from "./start-error.js";

/** Paths of the files in a data directory. */
export interface DataDir {
  readonly path: string;
  /** Certificates and keys. */
  readonly pki: string;
  /** Folder of the API server's store. */
  readonly store: string;
  readonly kubeconfig: string;
  /** A file at the top of the directory. */
  fileOf(name: string): string;
  /** Returns the path of a process's log. */
  logOf(process: string): string;
}

/** A log file that is larger is put aside at the next start; one old file is kept. */
const maxLogBytes = 16 * 1024 * 1024;

/** Makes the directory, readable by its owner only, since it holds private keys. Throws StartError. */
export function createDataDir(path: string): DataDir {
  const pki = join(path, "pki");
  try {
    makeFolderSync(path, 0o700);
    makeFolderSync(pki, 0o700);
  } catch (error) {
    throw unusable(path, error);
  }
  return {
    path,
    pki,
    store: join(path, "data"),
    kubeconfig: join(path, "kubeconfig"),
    fileOf: (name) => join(path, name),
    logOf: (process) => join(path, `${process}.log`),
  };
}

/** One sentence for a data directory that cannot be used because of `error`. */
function unusable(path: string, error: unknown): StartError {
  const code = systemErrorCode(error);
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    ENOTDIR: "part of the path is a file",
    EEXIST: "it is a file",
  };
  const reason =
    (code === undefined ? undefined : reasons[code]) ?? (error instanceof Error ? error.message : "unknown");
  return new StartError(`the data directory ${path} cannot be used: ${reason}.`, { cause: error });
}

/** Returns a StartError in the place of a system error that work in a data directory has met; any other as it is. */
export function explained(path: string, error: unknown): unknown {
  return systemErrorCode(error) === undefined ? error : unusable(path, error);
}

/** Puts a log that has grown large aside. */
export async function rotateLog(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined && found.size > maxLogBytes) {
    await rename(path, `${path}.1`);
  }
}

/** Gives the directory free again. */
export type Unlock = () => Promise<void>;

/**
 * Takes the data directory for this process, or throws StartError naming the process that has it. A lock that was left
 * by a process that is gone is taken over.
 */
export async function lockDataDir(dataDir: DataDir, pid: number): Promise<Unlock> {
  const path = join(dataDir.path, "gatehouse.pid");
  const owner = `${pid} ${await startTimeOf(pid)}\n`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(path, "wx", 0o600);
      await file.writeFile(owner);
      await file.close();
      return async () => {
        if ((await readFile(path, "utf8").catch(() => "")) === owner) {
          await rm(path, { force: true });
        }
      };
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") {
        throw unusable(dataDir.path, error);
      }
    }
    const holder = await readFile(path, "utf8").catch(() => "");
    const [holderPid = "", holderStart = ""] = holder.trim().split(" ");
    if (await isAlive(Number(holderPid), holderStart)) {
      throw new StartError(
        `another gatehouse (process ${holderPid}) is already running on the data directory ${dataDir.path}; ` +
          "stop it first, or choose another with --data-dir.",
      );
    }
    // Moved aside under a name of our own first, so that of two processes that find a stale lock only one removes it.
    const aside = `${path}.stale-${pid}`;
    await rename(path, aside).catch(() => {});
    await rm(aside, { force: true });
  }
  throw new StartError(`another gatehouse is starting on the data directory ${dataDir.path} at this moment.`);
}

async function isAlive(pid: number, startTime: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) {
    return false;
  }
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) === "ESRCH") {
      return false;
    }
  }
  // Process numbers are used again; the time of birth tells whether it is still the same process.
  return (await startTimeOf(pid)) === startTime;
}

/**
 * Returns the start time of a process, in clock ticks since boot (proc_pid_stat(5), field 22); `-` without /proc,
 * `ended` for a process that has ended but was not yet reaped by its parent.
 */
async function startTimeOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name of the program is in parentheses and may hold spaces; the fields that can be counted follow it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "ended" : (fields[19] ?? "-");
}
