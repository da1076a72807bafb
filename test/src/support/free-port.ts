import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Bounds of the ports that are given away: below those that the kernel gives to connections and to listeners on port 0. */
const lowest = 16_384;
const end = 32_768;

/** Ports that this process has given away: the programs may not listen on them yet. */
const given = new Set<number>();

/**
 * Finds a port of 127.0.0.1 that nobody listens on, for programs that must be told which one to take. A port that the kernel
 * picked could be taken by any connection before the program listens on it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, end);
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
}

/** Reports whether nobody listens on a port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  const listener = createServer().listen(port, "127.0.0.1");
  try {
    await once(listener, "listening");
  } catch {
    return false;
  }
  listener.close();
  await once(listener, "close");
  return true;
}
