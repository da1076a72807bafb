import type { WebSocket } from "ws";
import { MultiplexedStream, type StreamSender } from "../multiplexing/multiplexed-stream.js";
import { UnreadBytes } from "../multiplexing/unread-bytes.js";
import type { ChannelConnection, ChannelDirection, ChannelProtocol } from "./channel-connection.js";

const streamCloseByte = 255;
const maxUnreadBytes = 1024 * 1024;
/** Bytes that may wait for the socket before writers have to. */
const maxBufferedBytes = 256 * 1024;

/** Close codes of RFC 6455. */
const closeCode = { normal: 1000, protocolError: 1002, badData: 1007 } as const;

/** A connection with channels on a WebSocket. */
export class ChannelSocket implements ChannelConnection {
  readonly protocol: ChannelProtocol;
  readonly channels: readonly MultiplexedStream[];
  readonly ended: Promise<void>;
  readonly signal: AbortSignal;

  readonly #socket: WebSocket;
  readonly #unread: UnreadBytes;
  #closing = false;

  constructor(socket: WebSocket, protocol: ChannelProtocol, directions: readonly ChannelDirection[]) {
    this.#socket = socket;
    this.protocol = protocol;
    this.#unread = new UnreadBytes(maxUnreadBytes, (paused) => this.#setPaused(paused));
    this.channels = directions.map((direction, index) => this.#channel(direction, index));
    const abort = new AbortController();
    this.signal = abort.signal;
    this.ended = new Promise((resolve) => {
      socket.once("close", () => {
        for (const channel of this.channels) {
          channel.receiveClose(new Error("the WebSocket has been closed"));
        }
        abort.abort();
        resolve();
      });
    });
    // An error is followed by the end.
    socket.on("error", () => {});
    socket.on("message", (message: Buffer) => this.#receive(message));
  }

  announce(channel: number): void {
    this.#send(channel, Buffer.alloc(0), () => {});
  }

  async close(): Promise<void> {
    this.#close(closeCode.normal, "");
    await this.ended;
  }

  #channel(direction: ChannelDirection, index: number): MultiplexedStream {
    const sender: StreamSender = {
      unread: this.#unread,
      send: (data, sent) => this.#send(index, data, sent),
      // Servers have no message that ends a channel, nor for a reset.
      sendEnd: (sent) => sent(),
      sendReset: () => {},
      forget: () => {},
    };
    const stream = new MultiplexedStream(sender, direction === "read" || direction === "none");
    if (direction === "write" || direction === "none") {
      stream.receiveEnd();
    }
    return stream;
  }

  #receive(message: Buffer): void {
    const first = message[0];
    if (first === undefined || this.#closing) {
      return;
    }
    if (this.protocol.streamClose && first === streamCloseByte) {
      const channel = this.#channelOf(message[1] ?? this.channels.length);
      message.length === 2 ? channel?.receiveEnd() : this.#fail("a close signal names one channel");
      return;
    }
    const channel = this.#channelOf(this.protocol.base64 ? first - 0x30 : first);
    const data = this.#decode(message.subarray(1));
    if (data !== undefined) {
      channel?.receive(data);
    }
  }

  #channelOf(number: number): MultiplexedStream | undefined {
    const channel = this.channels[number];
    if (channel === undefined) {
      this.#fail(`there is no channel ${number}`);
    }
    return channel;
  }

  #decode(data: Buffer): Buffer | undefined {
    if (!this.protocol.base64) {
      return data;
    }
    const text = data.toString("latin1");
    if (/[^A-Za-z0-9+/=]/.test(text)) {
      this.#fail("a message is not base64", closeCode.badData);
      return undefined;
    }
    return Buffer.from(text, "base64");
  }

  #fail(reason: string, code: number = closeCode.protocolError): void {
    this.#close(code, reason);
  }

  #close(code: number, reason: string): void {
    this.#closing = true;
    this.#socket.close(code, reason);
    // The answer to the close frame stands behind data that nobody reads any more.
    this.#socket.resume();
  }

  #setPaused(paused: boolean): void {
    if (!this.#closing) {
      paused ? this.#socket.pause() : this.#socket.resume();
    }
  }

  #send(channel: number, data: Buffer, sent: (error?: Error) => void): void {
    const { base64 } = this.protocol;
    const message = base64 ? `${channel}${data.toString("base64")}` : Buffer.concat([Buffer.from([channel]), data]);
    if (this.#socket.bufferedAmount < maxBufferedBytes) {
      this.#socket.send(message, () => {});
      sent();
    } else {
      this.#socket.send(message, sent);
    }
  }
}
