import { createHash, randomBytes } from "node:crypto";
import { rename, rm, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DirectoryInUseError } from "../errors.js";

/** Maximum length of a path for a socket, in bytes; below the limits of all operating systems. */
const maxSocketPath = 90;
/** Two that come upon the socket of a process which has gone may both take it away; by then they know who was last. */
const takeoverMs = 100;

/**
 * Makes sure that one process uses a folder at a time: it listens on a socket there, and nobody answers on that of a
 * process which has gone, however it went. Rejects with DirectoryInUseError.
 */
export async function lockDirectory(directory: string): Promise<AsyncDisposable> {
  const path = socketPath(resolve(directory));
  const server = (await listen(path)) ?? (await takeOver(path, directory));
  server.unref();
  const mine = await stat(path);
  return {
    async [Symbol.asyncDispose]() {
      // As long as somebody answers, nobody takes it for that of a process which has gone.
      if ((await inodeOf(path)) === mine.ino) {
        await rm(path, { force: true });
      }
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Puts a socket in the place of one on which nobody answers. Of several that do so, the last one has it. */
async function takeOver(path: string, directory: string): Promise<Server> {
  const inUse = new DirectoryInUseError(`${directory} is in use by another process`);
  if (await isAnswered(path)) {
    throw inUse;
  }
  // Made under another name: a socket that is closed takes away what has the name it was made under.
  const own = `${path}.${randomBytes(3).toString("hex")}`;
  const server = await listen(own);
  if (server === undefined) {
    throw inUse;
  }
  const mine = await inodeOf(own);
  await rename(own, path);
  await sleep(takeoverMs);
  if ((await inodeOf(path)) === mine) {
    return server;
  }
  await new Promise((closed) => server.close(closed));
  throw inUse;
}

async function inodeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.ino;
}

function socketPath(directory: string): string {
  const path = join(directory, "lock");
  return Buffer.byteLength(path) <= maxSocketPath
    ? path
    : join(tmpdir(), `gatehouse-${createHash("sha256").update(directory).digest("hex").slice(0, 24)}.lock`);
}

/** Listens on a socket; returns undefined when there is one already. */
function listen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((listening, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        listening(undefined);
      } else {
        reject(error);
      }
    });
    server.listen(path, () => listening(server));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((answered) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      answered(true);
    });
    socket.once("error", () => answered(false));
  });
}
