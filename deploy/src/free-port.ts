import { createServer } from "node:net";
import { StartError, systemErrorCode } from "./start-error.js";

/** Makes sure that `port` on 127.0.0.1 can be listened on, or finds a free one for 0. Throws StartError. */
export async function claimPort(port: number): Promise<number> {
  try {
    return await listenOnce(port);
  } catch (error) {
    if (isInUse(error)) {
      throw new StartError(`port ${port} is in use by another process; choose another with --port.`, { cause: error });
    }
    if (systemErrorCode(error) === "EACCES") {
      throw new StartError(`port ${port} needs more rights than this process has; choose one above 1023 with --port.`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** Listens on a port of 127.0.0.1 for a moment, a free one for 0, and returns it. Rejects with the system's error. */
export async function listenOnce(port: number): Promise<number> {
  const listener = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
        const address = listener.address();
        resolve(typeof address === "object" && address !== null ? address.port : port);
      });
    });
  } finally {
    listener.close();
  }
}

/** Tells whether listening failed because another process listens there. */
export function isInUse(error: unknown): boolean {
  return systemErrorCode(error) === "EADDRINUSE";
}
