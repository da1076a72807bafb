import type { ConnectionOptions } from "node:tls";
import type { LoadRequest } from "./load-request.js";

export interface LoadConnectionOptions {
  readonly port: number;
  /** The options of TLS; undefined for plain text. */
  readonly tls: ConnectionOptions | undefined;
  readonly request: LoadRequest;
  /** The status of an answer. Anything but this one is an error. */
  readonly expectedCode: number;
  /** Called when an answer is complete. */
  readonly onAnswer: () => void;
  /** Called when the head of an answer has come, for answers that have no end. */
  readonly onHead?: () => void;
  /** Called with every piece of a body; valid during the call only. Over HTTP/1.1 it may hold the head, too. */
  readonly onBody: (bytes: Buffer) => void;
  readonly onError: (error: Error) => void;
  /** The answers have no end. */
  readonly endless?: boolean;
}

/** A connection that sends one request again and again and does as little as a client can. */
export interface LoadConnection {
  connected(): Promise<void>;
  /** Sends the request with this number. Over HTTP/1.1 the answer to the one before must have come. */
  send(number: number): void;
  close(): void;
}
