import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, readlink, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { pause } from "@gatehouse/component-base/time";

/** Limits of waiting for a lock. */
export interface FileLockOptions {
  /** Ends the waiting: the promise rejects with its reason. */
  readonly signal: AbortSignal;
  /** Called once, when somebody else holds the lock. */
  readonly onWait?: () => void;
  /** A lock whose holder has not shown a sign of life for so long is taken from it. Milliseconds; default ten seconds. */
  readonly staleAfterMs?: number;
}

const retryMs = 50;
const defaultStaleAfterMs = 10_000;

/**
 * Takes a lock between processes: a file that exists while it is held. It survives the death of its holder: that of a
 * process on this machine is seen at once, and any other when the file is no longer touched. A holder that was stopped for
 * longer than that (Ctrl-Z) may find itself not alone, so what the lock guards must bear that.
 */
export async function acquireFileLock(path: string, options: FileLockOptions): Promise<AsyncDisposable> {
  const { signal, staleAfterMs = defaultStaleAfterMs } = options;
  const holder: Holder = { id: randomUUID(), machine: await machineName(), pid: process.pid };
  const watch = new LifeSigns(staleAfterMs);
  let waiting = false;
  for (;;) {
    signal.throwIfAborted();
    const file = await createLock(path, holder);
    if (file !== undefined) {
      return hold(path, holder, file, staleAfterMs);
    }
    const seen = await look(path);
    if (seen === undefined) {
      continue;
    }
    if (!waiting) {
      waiting = true;
      options.onWait?.();
    }
    if (isDead(seen.holder, holder.machine) || watch.areMissing(seen.stamp)) {
      await removeLock(path, seen, options);
    } else {
      await pause(retryMs * (0.5 + Math.random()), signal);
    }
  }
}

/** The holder of a lock, as in its file. */
interface Holder {
  readonly id: string;
  readonly machine: string;
  readonly pid: number;
}

async function createLock(path: string, holder: Holder): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      return undefined;
    }
    throw error;
  }
  await file.writeFile(JSON.stringify(holder));
  return file;
}

function hold(path: string, holder: Holder, file: FileHandle, staleAfterMs: number): AsyncDisposable {
  // By the open file, not by its name: a lock that was taken from us is not ours to keep alive.
  const touch = (): Promise<void> => file.utimes(new Date(), new Date()).catch(() => {});
  let touching: Promise<void> = Promise.resolve();
  const heartbeat = setInterval(() => {
    touching = touch();
  }, staleAfterMs / 10);
  heartbeat.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat);
      await touching;
      await file.close();
      if ((await look(path))?.holder.id === holder.id) {
        await rm(path, { force: true });
      }
    },
  };
}

/**
 * Removes the lock of a holder that is dead. Of several processes that have noticed, one may: the one that holds a lock for
 * just that, which survives its holder in the same way. A lock that has a new holder by then stays.
 */
async function removeLock(path: string, seen: SeenLock, { signal, staleAfterMs }: FileLockOptions): Promise<void> {
  const options = { signal, ...(staleAfterMs === undefined ? {} : { staleAfterMs }) };
  await using _ = await acquireFileLock(`${path}.${seen.holder.id}`, options);
  if ((await look(path))?.stamp === seen.stamp) {
    await rm(path, { force: true });
  }
}

interface SeenLock {
  readonly holder: Holder;
  /** Changes with every sign of life. */
  readonly stamp: string;
}

/** The lock as it is now; undefined when there is none. */
async function look(path: string): Promise<SeenLock | undefined> {
  try {
    const [text, { ino, mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return { holder: parseHolder(text), stamp: `${ino}:${mtimeMs}` };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
}

/** A holder that died between making the file and writing into it has no name; signs of life decide then. */
const nobody: Holder = { id: "nobody", machine: "", pid: 0 };

function parseHolder(text: string): Holder {
  try {
    const { id, machine, pid } = Object.assign({ ...nobody }, JSON.parse(text));
    // The id becomes part of a file name.
    return /^[0-9a-f-]{36}$/.test(id) && Number.isSafeInteger(pid) && pid > 0 ? { id, machine, pid } : nobody;
  } catch {
    return nobody;
  }
}

function isDead(holder: Holder, machine: string): boolean {
  if (holder.machine !== machine) {
    return false;
  }
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/**
 * Returns a name of the scope of process ids: containers may share a host name and a folder, but not their processes.
 */
async function machineName(): Promise<string> {
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  return `${hostname()} ${namespace}`;
}

/** Tells when a file was not touched for a time, by our own clock: those of others may differ, and machines sleep. */
class LifeSigns {
  readonly #staleAfterMs: number;
  #stamp = "";
  #since = 0;

  constructor(staleAfterMs: number) {
    this.#staleAfterMs = staleAfterMs;
  }

  areMissing(stamp: string): boolean {
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#since = performance.now();
    }
    return performance.now() - this.#since >= this.#staleAfterMs;
  }
}
