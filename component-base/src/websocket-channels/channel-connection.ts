import type { MultiplexedStream } from "../multiplexing/multiplexed-stream.js";

/** A subprotocol of Kubernetes that carries several channels. The first byte of each message names its channel. */
export interface ChannelProtocol {
  /** The name in the header `Sec-WebSocket-Protocol`; empty for clients that ask for none. */
  readonly name: string;
  /** True if messages are text: a digit for the channel, then base64. */
  readonly base64: boolean;
  /** True if byte 255 and the number of a channel end this channel (`v5.channel.k8s.io`). */
  readonly streamClose: boolean;
}

/** The direction of a channel, as the server sees it. Data of clients for channels that are not read is dropped. */
export type ChannelDirection = "read" | "write" | "both" | "none";

/** The channels of a WebSocket that a client has opened, each of which is a stream. */
export interface ChannelConnection {
  readonly protocol: ChannelProtocol;
  readonly channels: readonly MultiplexedStream[];
  /** Resolves when the connection has ended. Never rejects. */
  readonly ended: Promise<void>;
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal;
  /** Sends an empty message on a channel, as servers do to say that the connection is established. */
  announce(channel: number): void;
  /** Closes the connection after what was written; resolves when it has ended. */
  close(): Promise<void>;
}
