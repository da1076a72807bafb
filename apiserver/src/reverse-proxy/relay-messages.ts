import { acceptMessageSocket } from "@gatehouse/component-base/websocket-channels";
import type { Exchange } from "../request/exchange.js";
import type { BackendContent } from "./backend.js";

/** The size of a message in bytes, before it is encoded, as in v1.29. */
const maxMessageBytes = 2048;
/** Bytes that may wait for the client before the backend does. */
const maxBufferedBytes = 256 * 1024;

/** The subprotocol whose messages are text in base64; those of all others are binary. */
const textProtocol = "base64.binary.k8s.io";
const protocols = ["", "binary.k8s.io", textProtocol];

/**
 * Sends the body of a backend to a client that asks for a WebSocket: an empty message first, then pieces as they come, at
 * the pace of the client. Resolves when the client has all of it, has gone away, or was refused.
 */
export async function relayMessages(exchange: Exchange, { body }: Pick<BackendContent, "body">): Promise<void> {
  const accepted = await acceptMessageSocket({
    request: { method: exchange.method, url: exchange.target, headers: exchange.headers },
    takeSocket: (status) => exchange.upgrade(status),
    protocols,
  });
  if (accepted === undefined) {
    body.destroy();
    return;
  }
  const { socket, protocol } = accepted;
  const isText = protocol === textProtocol;
  const forget = exchange.whenClosed(() => body.destroy());
  socket.send(Buffer.alloc(0), isText);
  try {
    for await (const piece of body) {
      for (const message of messagesOf(piece as Buffer, isText)) {
        if (socket.bufferedBytes > maxBufferedBytes) {
          await new Promise<void>((sent) => socket.send(message, isText, sent));
        } else {
          socket.send(message, isText);
        }
      }
    }
  } catch {
    // The backend has broken off, or the client has gone: the connection ends with what was sent, as in v1.29.
  } finally {
    forget();
    socket.close();
  }
}

function* messagesOf(piece: Buffer, isText: boolean): Generator<Buffer> {
  for (let start = 0; start < piece.length; start += maxMessageBytes) {
    const message = piece.subarray(start, start + maxMessageBytes);
    yield isText ? Buffer.from(message.toString("base64")) : message;
  }
}
