import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { MessageSocket } from "./message-socket.js";

/** Close code of RFC 6455 for a connection that has done what it was for. */
const normalClosure = 1000;

/** The messages of a WebSocket to its client. */
export class SendingSocket implements MessageSocket {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;

  constructor(socket: WebSocket, connection: Duplex) {
    this.#socket = socket;
    this.#connection = connection;
    // An error is followed by the end.
    socket.on("error", () => {});
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(message: Buffer, isText: boolean, sent?: () => void): void {
    this.#socket.send(message, { binary: !isText }, () => sent?.());
  }

  close(): void {
    this.#socket.close(normalClosure);
    this.#connection.end();
  }
}
