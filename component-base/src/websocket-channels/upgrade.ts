import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** An upgrade request with its socket. */
export interface Upgrade {
  readonly request: Pick<IncomingMessage, "method" | "url" | "headers">;
  readonly socket: Duplex;
  /** Bytes that came with the upgrade. */
  readonly head: Buffer;
}

/** Answers an upgrade with an error, and closes the connection. `fields` are more lines of the head. */
export function refuseUpgrade(socket: Duplex, status: number, message: string, fields: readonly string[] = []): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...fields,
    "connection: close",
    `content-length: ${Buffer.byteLength(message)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${message}`);
}

/** Returns the subprotocols that a client asks for, in its order. */
export function requestedProtocols({ headers }: Upgrade["request"]): readonly string[] {
  const names = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}
