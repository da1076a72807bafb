import type { SharedPiece } from "../../request/shared-piece.js";

/** The way of events to a client: the answer in pieces, or messages of a WebSocket. */
export interface EventOutput {
  /** Hands over frames. */
  write(piece: Buffer): boolean;
  /** Hands over frames that other watchers get, too. Returns false if the client is slower than the server. */
  writeShared(piece: SharedPiece): boolean;
  /** Calls `listener` once, when the client has taken what had been written, or never when it goes away before. */
  whenDrained(listener: () => void): void;
  /** Ends the stream after what was written. */
  end(): void;
}
