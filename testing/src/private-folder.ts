import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that only its owner may enter. Disposal removes it; so does the death of this process, however it dies. */
export interface PrivateFolder extends AsyncDisposable {
  readonly path: string;
}

/** Folder of Linux whose files are kept in memory. */
const memoryFolder = "/dev/shm";
/** Containers often have 64 MiB there, which a store soon fills. */
const neededBytes = 512 * 1024 * 1024;

/**
 * Waits until its input ends, which it does when the process that holds the other end has gone, and removes the folder.
 * A server that was killed at the same moment may still write to it, hence the repetitions.
 */
const removal = `read -r line
n=0
while rm -rf -- "$0"; [ -e "$0" ] && [ "$n" -lt 100 ]; do n=$((n+1)); sleep 0.1; done`;

/** Makes a folder in `parent`; by default in memory where there is enough of it, else among the temporary files. */
export async function makePrivateFolder(parent?: string): Promise<PrivateFolder> {
  const path = await mkdtemp(join(parent ?? (await defaultParent()), "gatehouse-testing-"));
  const remover = startRemover(path);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      await endRemover(remover);
    },
  };
}

/** Makes a folder inside a private one, which ends with that. Disposal removes it before. */
export async function makeForkFolder(parent: string): Promise<PrivateFolder> {
  const path = await mkdtemp(join(parent, "fork-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts the process that removes the folder when this one has gone. Signals of a terminal do not reach it. */
function startRemover(path: string): ChildProcess {
  const remover = spawn("/bin/sh", ["-c", removal, path], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  // Without a shell the folder is removed on disposal only.
  remover.once("error", () => {});
  remover.stdin?.once("error", () => {});
  remover.unref();
  // The pipe to a child is a socket, which the types do not tell.
  if (remover.stdin instanceof Socket) {
    remover.stdin.unref();
  }
  return remover;
}

async function endRemover(remover: ChildProcess): Promise<void> {
  if (remover.pid === undefined || remover.exitCode !== null || remover.signalCode !== null) {
    return;
  }
  remover.ref();
  const ended = once(remover, "close");
  remover.stdin?.end();
  await ended;
}

async function defaultParent(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize >= neededBytes ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}
