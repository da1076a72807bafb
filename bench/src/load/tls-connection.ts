import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";

/** All connections of a process read into this buffer, one after the other: nothing is allocated per read. */
const readBuffer = Buffer.allocUnsafe(64 * 1024);

export interface TlsConnectionOptions {
  readonly port: number;
  readonly tls: ConnectionOptions;
  /** Called with every piece that has been read; valid during the call only. */
  readonly onRead: (bytes: Buffer) => void;
  readonly onError: (error: Error) => void;
}

/** A TLS socket that costs as little as one can. What is written during a read goes out together at its end. */
export class TlsConnection {
  readonly #socket: TLSSocket;

  constructor({ port, tls, onRead, onError }: TlsConnectionOptions) {
    const onread = {
      buffer: readBuffer,
      callback: (length: number, buffer: Uint8Array): boolean => {
        this.#socket.cork();
        onRead(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        this.#socket.uncork();
        return true;
      },
    };
    this.#socket = connect({ host: "127.0.0.1", port, ...tls, onread } as ConnectionOptions);
    this.#socket.setNoDelay(true);
    this.#socket.on("error", onError);
    this.#socket.on("close", () => onError(new Error("the server closed the connection")));
  }

  connected(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once("secureConnect", resolve);
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
