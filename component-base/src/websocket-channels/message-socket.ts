import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { acceptWebSocket, refuseUpgrade, requestedProtocols, type Upgrade } from "./accept-websocket.js";

/** The size that one message of a client may have, which is dropped. */
const maxMessageBytes = 64 * 1024;

/** Close code of RFC 6455 for a connection that has done what it was for. */
const normalClosure = 1000;

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
  return webSocket === undefined ? undefined : new MessageSocket(webSocket, socket);
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

/** A WebSocket whose messages to the client are sent here, and whose messages from it are dropped. */
export class MessageSocket {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;

  constructor(socket: WebSocket, connection: Duplex) {
    this.#socket = socket;
    this.#connection = connection;
    // An error is followed by the end.
    socket.on("error", () => {});
  }

  /** Bytes that wait for the connection. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Sends a message, whose bytes must not change. `sent` is called when the connection has taken it. */
  send(message: Buffer, isText: boolean, sent?: () => void): void {
    this.#socket.send(message, { binary: !isText }, () => sent?.());
  }

  /** Closes the connection after what was sent, without waiting for the answer of the client. */
  close(): void {
    this.#socket.close(normalClosure);
    this.#connection.end();
  }
}
