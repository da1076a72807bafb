import { Connection, type OpenSocket, type SentRequest } from "./connection.js";
import type { HttpResponse } from "./http-request.js";

const replayableMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Connections that are opened with the same credentials. When those rotate, `retire` closes the ones that are idle, and
 * the others as soon as their calls have ended.
 */
export class Connections {
  readonly #open: OpenSocket;
  /** Idle connections, used last in, first out, so that the others time out when there is less to do. */
  readonly #idle: Connection[] = [];
  #isRetired = false;

  constructor(open: OpenSocket) {
    this.#open = open;
  }

  /**
   * A server may close a kept connection in the moment in which we use it. Then a request that changes nothing is sent
   * once more; one that may change something is not, because it may have arrived.
   */
  async send(asked: SentRequest): Promise<HttpResponse> {
    for (;;) {
      const connection = this.#idle.pop() ?? new Connection(this.#open, this.#onLost);
      try {
        const response = await connection.send(asked);
        this.#keep(connection);
        return response;
      } catch (error) {
        connection.destroy();
        const replayable = asked.idempotent ?? replayableMethods.has(asked.method ?? "GET");
        if (!replayable || !connection.isReused || !isLostConnection(error)) {
          throw error;
        }
      }
    }
  }

  /** No call begins here any more. */
  retire(): void {
    this.#isRetired = true;
    for (const connection of this.#idle.splice(0)) {
      connection.destroy();
    }
  }

  #keep(connection: Connection): void {
    if (this.#isRetired) {
      connection.destroy();
      return;
    }
    this.#idle.push(connection);
  }

  readonly #onLost = (connection: Connection): void => {
    const place = this.#idle.indexOf(connection);
    if (place >= 0) {
      this.#idle.splice(place, 1);
      connection.destroy();
    }
  };
}

/** Reports whether a connection was lost before an answer began; an answer that breaks off is another error. */
function isLostConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(error.code));
}
