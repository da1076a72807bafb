import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";

/** An upgrade request with its socket. */
export interface Upgrade {
  readonly request: Pick<IncomingMessage, "method" | "url" | "headers">;
  readonly socket: Duplex;
  /** Bytes that came with the upgrade. */
  readonly head: Buffer;
}

/** The answer to the handshake of a WebSocket. */
export interface HandshakeAnswer {
  /** The subprotocol; empty for none. */
  readonly protocol: string;
  /** The size in bytes that one message of a client may have. A larger one closes the connection. */
  readonly maxMessageBytes: number;
}

/** Answers the handshake of a WebSocket. Resolves to `undefined` if it was refused with 400: the request is none. */
export function acceptWebSocket(upgrade: Upgrade, answer: HandshakeAnswer): Promise<WebSocket | undefined> {
  const { request, socket, head } = upgrade;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: answer.maxMessageBytes,
    handleProtocols: () => answer.protocol || false,
  });
  return new Promise((resolve) => {
    server.once("wsClientError", (error) => {
      refuseUpgrade(socket, 400, error.message);
      resolve(undefined);
    });
    server.handleUpgrade(request as IncomingMessage, socket, head, resolve);
  });
}

/** Answers an upgrade with an error, and closes the connection. `fields` are more lines of the head. */
export function refuseUpgrade(socket: Duplex, status: number, message: string, fields: readonly string[] = []): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...fields,
    "connection: close",
    "content-type: text/plain",
    `content-length: ${Buffer.byteLength(message)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${message}`);
}

/** Returns the subprotocols that a client asks for, in its order. */
export function requestedProtocols({ headers }: Upgrade["request"]): readonly string[] {
  const names = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}
