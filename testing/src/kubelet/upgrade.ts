import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

/** A request that wants another protocol on its connection. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that came with the request. */
  readonly head: Buffer;
}

/** Time that clients have for opening the streams of a connection. */
export const streamCreationTimeoutMs = 30_000;

/** An answer to a request that is no success, as text. */
export class KubeletError extends Error {
  readonly status: number;
  readonly headers: readonly string[];

  /** `headers` are lines beside those that every answer has. */
  constructor(status: number, message: string, headers: readonly string[] = []) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Reports whether the client wants a WebSocket. */
export function wantsWebSocket({ request }: Upgrade): boolean {
  return request.headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Chooses the first protocol of the client that the server has, and accepts the upgrade to SPDY/3.1. Throws KubeletError
 * when there is none, or when the client wants something else.
 */
export function acceptSpdy({ request, socket }: Upgrade, supported: readonly string[]): string {
  const wanted = String(request.headers["x-stream-protocol-version"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (wanted.length === 0) {
    throw new KubeletError(400, "unable to upgrade: X-Stream-Protocol-Version is required");
  }
  const protocol = wanted.find((name) => supported.includes(name));
  if (protocol === undefined) {
    throw new KubeletError(
      403,
      `unable to upgrade: unable to negotiate protocol: client supports [${wanted.join(" ")}], server accepts [${supported.join(" ")}]`,
      supported.map((name) => `X-Accepted-Stream-Protocol-Versions: ${name}`),
    );
  }
  if (!request.headers.upgrade?.toLowerCase().includes("spdy/3.1")) {
    throw new KubeletError(400, `unable to upgrade: ${JSON.stringify(request.headers.upgrade)} is not SPDY/3.1`);
  }
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  return protocol;
}
