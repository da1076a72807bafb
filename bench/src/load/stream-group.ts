import type { ConnectionOptions } from "node:tls";
import { RawConnection } from "./raw-connection.js";

const lineFeed = 0x0a;
const closingBrace = 0x7d;

/** Many open watches, and the number of events that they have received. */
export class StreamGroup {
  events = 0;
  readonly #connections: RawConnection[] = [];

  get size(): number {
    return this.#connections.length;
  }

  /** Opens `count` streams; resolves when each has its headers. */
  async open(options: { port: number; tls: ConnectionOptions; count: number; request: Buffer }): Promise<void> {
    // Handshakes in groups: a thousand at once would only wait for each other.
    for (let opened = 0; opened < options.count; opened += 50) {
      const group = Math.min(50, options.count - opened);
      await Promise.all(Array.from({ length: group }, () => this.#openOne(options)));
    }
  }

  close(): void {
    for (const connection of this.#connections) {
      connection.close();
    }
  }

  #openOne({ port, tls, request }: { port: number; tls: ConnectionOptions; request: Buffer }): Promise<void> {
    return new Promise((resolve, reject) => {
      let last = 0;
      const connection = new RawConnection({
        port,
        tls,
        stream: true,
        // Events end with a brace and a line feed; neither chunk headers nor the JSON inside do.
        onBytes: (bytes) => {
          for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
            if ((at === 0 ? last : bytes[at - 1]) === closingBrace) {
              this.events++;
            }
          }
          last = bytes[bytes.length - 1] as number;
        },
        onResponse: (code) => {
          if (code === 200) {
            resolve();
          } else {
            reject(new Error(`a watch was answered ${code}`));
          }
        },
        onError: reject,
      });
      this.#connections.push(connection);
      void connection.connected().then(() => connection.send(request));
    });
  }
}
