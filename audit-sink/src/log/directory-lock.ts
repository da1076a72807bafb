import { rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { digestOf } from "./digest.js";

/** Somebody else uses the folder. */
export class DirectoryInUseError extends Error {
  override readonly name = "DirectoryInUseError";
}

/** What the operating system takes as the path of a socket, in bytes. */
const maxSocketPath = 100;

/**
 * Makes sure that one process uses a folder at a time: it listens on a socket there, and nobody answers on that of a
 * process which has gone, however it went. Rejects with DirectoryInUseError.
 */
export async function lockDirectory(directory: string): Promise<AsyncDisposable> {
  const path = socketPath(resolve(directory));
  for (;;) {
    const server = await listen(path);
    if (server !== undefined) {
      server.unref();
      return {
        async [Symbol.asyncDispose]() {
          await new Promise((closed) => server.close(closed));
        },
      };
    }
    if (await isAnswered(path)) {
      throw new DirectoryInUseError(`${directory} is in use by another process`);
    }
    await rm(path, { force: true });
  }
}

function socketPath(directory: string): string {
  const path = join(directory, "lock");
  return Buffer.byteLength(path) <= maxSocketPath
    ? path
    : join(
        tmpdir(),
        `audit-log-${Buffer.from(digestOf(Buffer.from(directory)), "latin1").toString("hex", 0, 12)}.lock`,
      );
}

/** Undefined when there is a socket already. */
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
