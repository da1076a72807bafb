/** A WebSocket whose messages to the client are sent here, and whose messages from it are dropped. */
export interface MessageSocket {
  /** Bytes that wait for the connection. */
  readonly bufferedBytes: number;
  /** Sends a message, whose bytes must not change. `sent` is called when the connection has taken it. */
  send(message: Buffer, isText: boolean, sent?: () => void): void;
  /** Closes the connection after what was sent, without waiting for the answer of the client. */
  close(): void;
}
