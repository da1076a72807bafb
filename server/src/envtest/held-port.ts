import { randomBytes } from "node:crypto";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { ConnectionSource } from "@gatehouse/apiserver/http";
import { addressFlags } from "@gatehouse/apiserver/options";
import { listenHost } from "@gatehouse/component-base/addresses";
import { readArguments } from "./read-arguments.js";

/** The most connections that wait; others are closed at once. */
const maxWaiting = 256;

/**
 * A port that is open before its server has been loaded. Harnesses ask every 100 ms whether a program is ready: a question that
 * comes meanwhile waits for the answer here, instead of being refused and asked again.
 */
export class HeldPort implements ConnectionSource {
  readonly #server: Server;
  readonly #listening: Promise<void>;
  readonly #waiting: Socket[] = [];
  #take: ((connection: Socket) => void) | undefined;
  #isReleased = false;

  constructor({ host, port }: { readonly host: string; readonly port: number }) {
    this.#server = createServer({ pauseOnConnect: true }, (connection) => this.#add(connection));
    this.#listening = new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen({ port, host: listenHost(host) }, resolve);
    });
    // Told to whoever opens it.
    void this.settled();
    // A start that fails is not held up by it.
    this.#server.unref();
  }

  /** Resolves when the port is open. One that cannot be opened is told by `open`. */
  async settled(): Promise<void> {
    await this.#listening.catch(() => {});
  }

  /** Rejects as the port would that is opened then. Connections are handed out after `release`. */
  async open(_address: object, take: (connection: Socket) => void): Promise<{ port: number; ticketKeys: Buffer }> {
    await this.#listening;
    this.#server.ref();
    this.#take = take;
    this.#handOut();
    return { port: (this.#server.address() as AddressInfo).port, ticketKeys: randomBytes(48) };
  }

  /** Hands out what waits, and all that comes later, as soon as somebody takes it. */
  release(): void {
    this.#isReleased = true;
    this.#handOut();
  }

  stop(): void {
    this.#server.close();
    for (const connection of this.#waiting.splice(0)) {
      connection.destroy();
    }
  }

  #add(connection: Socket): void {
    if (this.#waiting.length >= maxWaiting) {
      connection.destroy();
      return;
    }
    this.#waiting.push(connection);
    this.#handOut();
  }

  #handOut(): void {
    if (this.#take !== undefined && this.#isReleased) {
      for (const connection of this.#waiting.splice(0)) {
        this.#take(connection);
        connection.resume();
      }
    }
  }
}

/**
 * Opens the port that the command line of kube-apiserver names, without a look at the rest of it. Undefined where other
 * processes may share it, or the server chooses it itself.
 */
export async function holdApiServerPort(argv: readonly string[]): Promise<HeldPort | undefined> {
  const flags = new Map(readArguments(argv, () => false).map(({ name, value }) => [name, value]));
  const host = flags.get("bind-address") ?? addressFlags["bind-address"].default;
  const port = Number(flags.get("secure-port"));
  return isPort(port) && !flags.has("permit-port-sharing") ? hold({ host, port }) : undefined;
}

/**
 * Opens the one port of IPv4 that the command line of etcd names for clients, on 127.0.0.1: all addresses are served there
 * alone. Undefined for other addresses.
 */
export async function holdEtcdPort(argv: readonly string[]): Promise<HeldPort | undefined> {
  const urls = readArguments(argv, () => false).findLast(({ name }) => name === "listen-client-urls")?.value ?? "";
  const port = Number(/^http:\/\/(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)\/?$/.exec(urls)?.[1]);
  return isPort(port) ? hold({ host: "127.0.0.1", port }) : undefined;
}

/** Returns once the port is open: Node.js opens ports behind promises, and programs are loaded by them. */
async function hold(address: { readonly host: string; readonly port: number }): Promise<HeldPort> {
  const held = new HeldPort(address);
  await held.settled();
  return held;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port <= 65_535;
}
