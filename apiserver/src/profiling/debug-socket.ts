import { lstat, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerProfiling } from "./answer-profiling.js";

/**
 * Serves `/debug/pprof/` on a Unix socket that only this user can open (mode 0600), without authentication
 * (`--debug-socket-path`). Rejects when the socket cannot be made. A socket that a former process has left behind is
 * replaced.
 */
export async function openDebugSocket(path: string): Promise<AsyncDisposable> {
  await removeSocket(path);
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The socket is made while `listen` runs: nobody else can open it even for a moment.
    const before = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(path, { force: true });
    },
  };
}

/** Removes a socket; any other file stays, and nothing can be opened in its place. */
async function removeSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSocket() === true) {
    await rm(path);
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const found = await answerProfiling({ path: pathname, query: searchParams, signal: gone.signal });
    response.writeHead(found?.code ?? 404, found?.headers ?? { "Content-Type": "text/plain" });
    response.end(found?.body ?? "404 page not found\n");
  } catch {
    // The client is gone, or the target is none.
    response.writeHead(400).end();
  }
}
