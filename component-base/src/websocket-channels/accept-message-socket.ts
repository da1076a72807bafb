import type { Duplex } from "node:stream";
import { acceptWebSocket } from "./accept-websocket.js";
import type { MessageSocket } from "./message-socket.js";
import { SendingSocket } from "./sending-socket.js";
import { refuseUpgrade, requestedProtocols, type Upgrade } from "./upgrade.js";

/** The size that one message of a client may have, which is dropped. */
const maxMessageBytes = 64 * 1024;

/** An upgrade request of which the connection has not been taken over yet. */
export interface MessageUpgrade extends Pick<Upgrade, "request"> {
  /** Takes the connection over. `status` is the code of the answer that is written on it. */
  readonly takeSocket: (status: number) => Duplex;
}

/**
 * Answers the upgrade to a WebSocket that carries messages to the client alone. Its handshake has the conditions of
 * v1.29: an `Origin` that is a URL or a path, and one subprotocol at most, which is granted whatever it is. Resolves to
 * `undefined` if the upgrade was refused.
 */
export async function acceptMessageSocket({ request, takeSocket }: MessageUpgrade): Promise<MessageSocket | undefined> {
  const protocols = requestedProtocols(request);
  const refusal = refusalOf(request.headers, protocols);
  if (refusal !== undefined) {
    const { status, message, fields } = refusal;
    refuseUpgrade(takeSocket(status), status, message, fields);
    return undefined;
  }
  const [protocol = ""] = protocols;
  // An empty list is none.
  const { "sec-websocket-protocol": _, ...others } = request.headers;
  const headers = protocol === "" ? others : request.headers;
  const socket = takeSocket(101);
  const upgrade = { request: { ...request, headers }, socket, head: Buffer.alloc(0) };
  const webSocket = await acceptWebSocket(upgrade, { protocol, maxMessageBytes });
  return webSocket === undefined ? undefined : new SendingSocket(webSocket, socket);
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly fields?: readonly string[];
}

function refusalOf(headers: Upgrade["request"]["headers"], protocols: readonly string[]): Refusal | undefined {
  if (headers["sec-websocket-key"] === undefined) {
    return { status: 400, message: "mismatch challenge/response" };
  }
  if (headers["sec-websocket-version"] !== "13") {
    const fields = ["Sec-WebSocket-Version: 13"];
    return { status: 400, message: "missing or bad WebSocket Version", fields };
  }
  if (!isOrigin(headers.origin ?? "")) {
    return { status: 403, message: "" };
  }
  return protocols.length > 1 ? { status: 400, message: "" } : undefined;
}

/** Reports whether a text is a path or a URL. */
function isOrigin(text: string): boolean {
  return text.startsWith("/") || URL.canParse(text);
}
