import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { refuseUpgrade, type Upgrade } from "./upgrade.js";

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
