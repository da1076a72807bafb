import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Agent, request } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";

/**
 * The fates of a request. `lost`: the connection breaks before the request has arrived; `unanswered`: it breaks when the
 * request has been answered; `late`: it breaks, and the request arrives afterwards; `repeated`: the request arrives twice,
 * and the second answer comes back. Watches pass until they are broken.
 */
export const fates = ["passed", "lost", "unanswered", "late", "repeated"] as const;
export type Fate = (typeof fates)[number];

/** The longest time in milliseconds for which a late request is under way. */
const latestMs = 40;
/** The number of lost requests, on average, of which one breaks the watches as well. */
const watchesBreakOnce = 8;

/** An API server behind a bad network, as one client sees it: over HTTP, with the credentials of that client. */
export class FaultyFront implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: ClientConfig;
  readonly #agent: Agent;
  readonly #random: (bound: number) => number;
  readonly #late = new Set<Promise<void>>();
  readonly #watches = new Set<ServerResponse>();
  /** The writes that have met each fate. */
  readonly writes = new Map<Fate, number>();

  /** Decides on the next request; at first all pass. */
  fateOf: () => Fate = () => "passed";

  /** Starts one in front of a server. `random` returns numbers below a bound, for the delays of late requests. */
  static async start(target: ClientConfig, random: (bound: number) => number): Promise<FaultyFront> {
    const front = new FaultyFront(target, random);
    front.#server.listen(0, "127.0.0.1");
    await once(front.#server, "listening");
    return front;
  }

  private constructor(target: ClientConfig, random: (bound: number) => number) {
    this.#target = target;
    this.#random = random;
    this.#agent = new Agent({
      keepAlive: true,
      ca: target.certificateAuthorityPem,
      cert: target.clientCertificate?.certificatePem,
      key: target.clientCertificate?.keyPem,
    });
    this.#server = createServer((incoming, response) => {
      this.#answer(incoming, response).catch(() => response.destroy());
    });
  }

  /** The configuration of the client of this network. */
  get clientConfig(): ClientConfig {
    const { port } = this.#server.address() as AddressInfo;
    return { server: new URL(`http://127.0.0.1:${port}`), insecureSkipTlsVerify: false };
  }

  /** Resolves when no request is under way that its sender has given up. */
  async settled(): Promise<void> {
    await Promise.all(this.#late);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.settled();
    this.#agent.destroy();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) {
      pieces.push(piece);
    }
    const body = Buffer.concat(pieces);
    if (new URL(incoming.url ?? "/", this.#target.server).searchParams.get("watch") === "true") {
      this.#watches.add(response);
      response.on("close", () => this.#watches.delete(response));
      await this.#forward(incoming, body, response);
      return;
    }
    const fate = this.fateOf();
    if (incoming.method !== "GET") {
      this.writes.set(fate, (this.writes.get(fate) ?? 0) + 1);
    }
    switch (fate) {
      case "lost":
        response.destroy();
        if (this.#random(watchesBreakOnce) === 0) {
          this.#breakWatches();
        }
        return;
      case "unanswered":
        await this.#forward(incoming, body);
        response.destroy();
        return;
      case "late":
        response.destroy();
        this.#sendLate(incoming, body);
        return;
      case "repeated":
        await this.#forward(incoming, body);
        await this.#forward(incoming, body, response);
        return;
      case "passed":
        await this.#forward(incoming, body, response);
    }
  }

  #breakWatches(): void {
    for (const watch of this.#watches) {
      watch.destroy();
    }
  }

  #sendLate(incoming: IncomingMessage, body: Buffer): void {
    const sent = sleep(this.#random(latestMs))
      .then(() => this.#forward(incoming, body))
      .catch(() => {});
    this.#late.add(sent);
    void sent.then(() => this.#late.delete(sent));
  }

  /** Sends a request on, and its answer back if there is somebody to take it. */
  async #forward(incoming: IncomingMessage, body: Buffer, response?: ServerResponse): Promise<void> {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const outgoing = request(new URL(incoming.url ?? "/", this.#target.server), {
      method: incoming.method ?? "GET",
      headers,
      agent: this.#agent,
    });
    response?.on("close", () => outgoing.destroy());
    outgoing.end(body);
    const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
    response?.writeHead(answer.statusCode ?? 500, answer.headers);
    response?.flushHeaders();
    for await (const piece of answer) {
      response?.write(piece);
    }
    response?.end();
  }
}
