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
  /**
   * The subprotocols that the server has; an empty name serves clients that ask for none. The first one of the client that
   * is there is granted. Without a list, one at most may be asked for, which is granted whatever it is, and the `Origin` must
   * be a URL or a path.
   */
  readonly protocols?: readonly string[];
}

/** A socket for messages with the subprotocol that was granted; the empty one for none. */
export interface AcceptedMessageSocket {
  readonly socket: MessageSocket;
  readonly protocol: string;
}

/**
 * Answers the upgrade to a WebSocket that carries messages to the client alone. Its handshake has the conditions of
 * v1.29. Resolves to `undefined` if the upgrade was refused.
 */
export async function acceptMessageSocket(upgrade: MessageUpgrade): Promise<AcceptedMessageSocket | undefined> {
  const { request, takeSocket } = upgrade;
  const protocol = handshakeRefusal(request.headers) ?? chooseProtocol(upgrade);
  if (typeof protocol !== "string") {
    const { status, message, fields } = protocol;
    refuseUpgrade(takeSocket(status), status, message, fields);
    return undefined;
  }
  // An empty list is none.
  const { "sec-websocket-protocol": _, ...others } = request.headers;
  const headers = protocol === "" ? others : request.headers;
  const socket = takeSocket(101);
  const webSocket = await acceptWebSocket(
    { request: { ...request, headers }, socket, head: Buffer.alloc(0) },
    { protocol, maxMessageBytes },
  );
  return webSocket && { socket: new SendingSocket(webSocket, socket), protocol };
}

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly fields?: readonly string[];
}

function handshakeRefusal(headers: Upgrade["request"]["headers"]): Refusal | undefined {
  if (headers["sec-websocket-key"] === undefined) {
    return { status: 400, message: "mismatch challenge/response" };
  }
  if (headers["sec-websocket-version"] !== "13") {
    const fields = ["Sec-WebSocket-Version: 13"];
    return { status: 400, message: "missing or bad WebSocket Version", fields };
  }
  return undefined;
}

function chooseProtocol({ request, protocols }: MessageUpgrade): string | Refusal {
  const requested = requestedProtocols(request);
  if (protocols !== undefined) {
    const names = requested.length === 0 ? [""] : requested;
    return names.find((name) => protocols.includes(name)) ?? { status: 403, message: "" };
  }
  if (!isOrigin(request.headers.origin ?? "")) {
    return { status: 403, message: "" };
  }
  return requested.length > 1 ? { status: 400, message: "" } : (requested[0] ?? "");
}

/** Reports whether a text is a path or a URL. */
function isOrigin(text: string): boolean {
  return text.startsWith("/") || URL.canParse(text);
}
