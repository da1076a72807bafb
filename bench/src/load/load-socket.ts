import { connect as connectPlain, type NetConnectOpts, type Socket } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";

/** All connections of a process read into this buffer, one after the other: nothing is allocated per read. */
const readBuffer = Buffer.allocUnsafe(64 * 1024);

export interface LoadSocketOptions {
  readonly port: number;
  /** The options of TLS; undefined for plain text. */
  readonly tls: ConnectionOptions | undefined;
  /** Called with every piece that has been read; valid during the call only. */
  readonly onRead: (bytes: Buffer) => void;
  readonly onError: (error: Error) => void;
}

/** A socket, with TLS or without, that costs as little as one can. What is written during a read goes out together at its end. */
export class LoadSocket {
  readonly #socket: Socket;
  readonly #connectedEvent: "connect" | "secureConnect";

  constructor({ port, tls, onRead, onError }: LoadSocketOptions) {
    const onread = {
      buffer: readBuffer,
      callback: (length: number, buffer: Uint8Array): boolean => {
        this.#socket.cork();
        onRead(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        this.#socket.uncork();
        return true;
      },
    };
    const target = { host: "127.0.0.1", port, onread };
    this.#connectedEvent = tls === undefined ? "connect" : "secureConnect";
    this.#socket =
      tls === undefined ? connectPlain(target as NetConnectOpts) : connect({ ...target, ...tls } as ConnectionOptions);
    this.#socket.setNoDelay(true);
    this.#socket.on("error", onError);
    this.#socket.on("close", () => onError(new Error("the server closed the connection")));
  }

  connected(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once(this.#connectedEvent, resolve);
    });
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.removeAllListeners("close");
    this.#socket.removeAllListeners("error");
    this.#socket.on("error", () => {});
    this.#socket.destroy();
  }
}
