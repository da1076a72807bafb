import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type { PortHandler } from "./pod-script.js";

/**
 * Serves one connection to a port of a pod until it has ended in both directions. Rejects with the reason why it could
 * not be served, in the words of a kubelet.
 */
export async function servePort(
  handlers: Readonly<Record<number, PortHandler | number>> | undefined,
  port: number,
  connection: Duplex,
): Promise<void> {
  const handler = handlers?.[port];
  try {
    if (handler === undefined) {
      throw new Error(`nothing listens on port ${port}`);
    }
    if (typeof handler === "number") {
      await forward(handler, connection);
    } else {
      await handler(connection);
      // The client may end a connection as it likes.
      await finished(connection).catch(() => {});
    }
  } catch (error) {
    throw new Error(`error forwarding port ${port} to pod: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function forward(port: number, connection: Duplex): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve();
    });
  });
  await Promise.all([pipeline(connection, socket), pipeline(socket, connection)]).catch(() => {
    connection.destroy();
    socket.destroy();
  });
}
