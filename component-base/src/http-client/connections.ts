import { Agent, type AgentOptions } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Opens one connection, ready for a request. */
export type OpenConnection = () => Promise<Socket>;

/** As Go's transport for API clients: a kept connection that was not used for so long is closed. */
const idleTimeoutMs = 90_000;

/** Node's pool of kept connections, with our way of opening them. */
class DialingAgent extends Agent {
  readonly #open: OpenConnection;

  constructor(options: AgentOptions, open: OpenConnection) {
    super(options);
    this.#open = open;
  }

  override createConnection(_options: object, done?: (error: Error | null, socket: Duplex) => void): null {
    this.#open().then(
      (socket) => done?.(null, socket),
      // Node looks for a socket only where there is no error.
      (error: Error) => done?.(error, undefined as never),
    );
    return null;
  }
}

/**
 * Connections that were opened with the same credentials. When those rotate, `retire` closes the ones that are idle, and
 * the others as soon as their calls have ended.
 */
export class Connections {
  readonly agent: Agent;
  #calls = 0;
  #retired = false;

  constructor(maxIdle: number, open: OpenConnection) {
    // How many are open at a time is bounded by the client: Node's own bound does not count those that are being opened.
    this.agent = new DialingAgent({ keepAlive: true, maxFreeSockets: maxIdle, timeout: idleTimeoutMs }, open);
  }

  /** A call begins. Its connection stays, whatever happens to the credentials, until `end`. */
  begin(): void {
    this.#calls++;
  }

  end(): void {
    this.#calls--;
    if (this.#retired && this.#calls === 0) {
      this.agent.destroy();
    }
  }

  /** No call begins here any more. */
  retire(): void {
    this.#retired = true;
    if (this.#calls === 0) {
      this.agent.destroy();
      return;
    }
    for (const socket of Object.values(this.agent.freeSockets).flat()) {
      socket?.destroy();
    }
  }
}
