import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { ChannelConnection, ChannelDirection, ChannelProtocol } from "./channel-connection.js";
import { ChannelSocket } from "./channel-socket.js";

/** The size that one message of a client may have. */
const maxMessageBytes = 16 * 1024 * 1024;

/** An upgrade request with its socket, and the protocols and channels that the server has for it. */
export interface ChannelUpgrade {
  readonly request: Pick<IncomingMessage, "method" | "url" | "headers">;
  readonly socket: Duplex;
  /** Bytes that came with the upgrade. */
  readonly head: Buffer;
  readonly protocols: readonly ChannelProtocol[];
  readonly channels: readonly ChannelDirection[];
}

/**
 * Answers the upgrade to a WebSocket with channels. Resolves to `undefined` if it was refused: with 403 when the client
 * wants other protocols, with 400 when the request is no handshake of a WebSocket.
 */
export async function acceptWebSocketChannels(upgrade: ChannelUpgrade): Promise<ChannelConnection | undefined> {
  const { request, socket, head, channels } = upgrade;
  const wanted = protocolsOf(request);
  const protocol = negotiate(wanted, upgrade.protocols);
  if (protocol === undefined) {
    const supported = upgrade.protocols.map(({ name }) => name).join(" ");
    refuse(socket, 403, `requested protocol(s) are not supported: [${wanted.join(" ")}]; supports [${supported}]`);
    return undefined;
  }
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: () => protocol.name || false,
  });
  return await new Promise((resolve) => {
    server.once("wsClientError", (error) => {
      refuse(socket, 400, error.message);
      resolve(undefined);
    });
    server.handleUpgrade(request as IncomingMessage, socket, head, (webSocket) => {
      resolve(new ChannelSocket(webSocket, protocol, channels));
    });
  });
}

/** Returns the first protocol of the client that the server has. */
function negotiate(wanted: readonly string[], supported: readonly ChannelProtocol[]): ChannelProtocol | undefined {
  const names = wanted.length === 0 ? [""] : wanted;
  for (const name of names) {
    const found = supported.find((protocol) => protocol.name === name);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function protocolsOf({ headers }: ChannelUpgrade["request"]): readonly string[] {
  const names = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

function refuse(socket: Duplex, status: number, message: string): void {
  const headers = `connection: close\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(message)}`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}\r\n\r\n${message}`);
}
