import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An event, as far as tests look at it. */
export interface ReceivedEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username?: string };
  readonly level: string;
  readonly [member: string]: unknown;
}

/** One EventList that was taken. */
export interface ReceivedBatch {
  readonly source: string | undefined;
  readonly sequence: number | undefined;
  readonly events: readonly ReceivedEvent[];
}

/** The way in which a call is answered. `close` cuts the connection without an answer. */
export type ReceiverMood = "close" | "fail" | "slow" | "take";

/** Takes audit events over HTTP, and can be told to be as bad as receivers are. */
export class AuditReceiver implements AsyncDisposable {
  readonly batches: ReceivedBatch[] = [];
  mood: ReceiverMood = "take";
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  static async start(): Promise<AuditReceiver> {
    const server = createServer();
    const receiver = new AuditReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The kubeconfig for `--audit-webhook-config-file`. */
  get kubeconfig(): string {
    return JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "a", cluster: { server: `http://127.0.0.1:${this.port}/events` } }],
      users: [{ name: "a", user: {} }],
      contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
      "current-context": "a",
    });
  }

  /** All events that were taken, repetitions included. */
  get events(): readonly ReceivedEvent[] {
    return this.batches.flatMap(({ events }) => events);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { mood } = this;
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (mood === "close") {
        request.socket.destroy();
        return;
      }
      if (mood === "fail") {
        response.writeHead(503).end();
        return;
      }
      const { items } = JSON.parse(Buffer.concat(pieces).toString()) as { items: ReceivedEvent[] };
      const sequence = request.headers["gatehouse-audit-sequence"];
      this.batches.push({
        source: request.headers["gatehouse-audit-source"] as string | undefined,
        sequence: sequence === undefined ? undefined : Number(sequence),
        events: items,
      });
      setTimeout(() => response.writeHead(200).end(), mood === "slow" ? 300 : 0);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
