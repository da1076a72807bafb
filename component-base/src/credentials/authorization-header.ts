import { readFile } from "node:fs/promises";
import type { ClientAuthorization } from "../kubeconfig/client-config.js";

/** Time in milliseconds for which a token read from a file is used before the file is read again, as in client-go. */
const tokenFileLifetimeMs = 60_000;

/** The Authorization header of a call that begins now. Rejects when a token file cannot be read and never could. */
export function createAuthorizationHeader(
  authorization: ClientAuthorization | undefined,
): () => Promise<string> | string | undefined {
  switch (authorization?.kind) {
    case undefined:
      return () => undefined;
    case "token":
      return () => `Bearer ${authorization.token}`;
    case "basic": {
      const pair = Buffer.from(`${authorization.username}:${authorization.password}`).toString("base64");
      return () => `Basic ${pair}`;
    }
    case "tokenFile":
      return fromTokenFile(authorization.path, authorization.token);
  }
}

function fromTokenFile(path: string, fallback: string | undefined): () => Promise<string> | string {
  let header = fallback === undefined ? undefined : `Bearer ${fallback}`;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => (header !== undefined && performance.now() - readAt < tokenFileLifetimeMs ? header : read());

  async function read(): Promise<string> {
    try {
      const token = (await readFile(path, "utf8")).trim();
      if (token === "") {
        throw new Error("the token file is empty");
      }
      header = `Bearer ${token}`;
    } catch (error) {
      // A token that was good goes on being used; the file may be back the next time.
      if (header === undefined) {
        throw new Error("the token file cannot be read", { cause: error });
      }
    }
    readAt = performance.now();
    return header;
  }
}
