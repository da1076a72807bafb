import type { Client, ClientDuplexStream, Metadata } from "@gatehouse/component-base/grpc";
import { type CallOptions, callUnary, type Grpc, type MessageInput, type Method } from "@gatehouse/component-base/grpc";
import type { EtcdApi } from "./api/etcd-api.js";
import { isMemberFailure } from "./etcd-errors.js";

/** An etcd server as it was configured. */
export interface EndpointAddress {
  /** The URL, for messages. */
  readonly url: string;
  /** `host:port`, or a path with the scheme `unix:`. */
  readonly target: string;
  readonly isSecure: boolean;
}

/** Time in milliseconds that a probe of a suspect server may take, and between two of them. */
const probeMs = 2000;

/** Releases since which an answer to a progress request never runs ahead of the events. */
const progressSince: Readonly<Record<string, number>> = { "3.4": 25, "3.5": 8 };

/**
 * A connection to one etcd server. A server that fails to answer is suspect: others are preferred to it until a probe,
 * a linearizable read, has come through.
 */
export class Endpoint {
  readonly address: EndpointAddress;
  readonly #grpc: Grpc;
  readonly #api: EtcdApi;
  readonly #client: Client;
  readonly #metadata: Metadata;
  #openCalls = 0;
  #isClosing = false;
  #isSuspect = false;
  #probeTimer: NodeJS.Timeout | undefined;
  #progress: Promise<boolean> | undefined;

  constructor(address: EndpointAddress, { grpc, api, client }: { grpc: Grpc; api: EtcdApi; client: Client }) {
    this.address = address;
    this.#grpc = grpc;
    this.#api = api;
    this.#client = client;
    // A server that sees no leader refuses at once, so that others can be asked.
    this.#metadata = new grpc.Metadata();
    this.#metadata.set("hasleader", "true");
  }

  /** True if calls can be sent now. Begins to connect if not. */
  get isReady(): boolean {
    return this.#client.getChannel().getConnectivityState(true) === this.#grpc.connectivityState.READY;
  }

  /** True if the server failed to answer, and no probe has come through since. */
  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Waits until calls can be sent; rejects with the reason at the deadline. */
  waitForReady(deadlineMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.waitForReady(Date.now() + deadlineMs, (error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  /** Calls a method with one request and one answer. */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: MessageInput<Request>,
    options: Omit<CallOptions, "metadata">,
  ): Promise<Response> {
    this.#openCalls++;
    try {
      const metadata = this.#metadata;
      return await callUnary(this.#grpc, this.#client, method, request, { ...options, metadata });
    } catch (error) {
      if (isMemberFailure(error)) {
        this.suspect();
      }
      throw error;
    } finally {
      this.#callEnded();
    }
  }

  /** Opens a call with streams in both directions. */
  openStream<Request, Response>(
    method: Method<Request, Response>,
  ): ClientDuplexStream<MessageInput<Request>, Response> {
    const { path, requestSerialize, responseDeserialize } = method;
    this.#openCalls++;
    const stream = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, this.#metadata);
    stream.once("status", () => this.#callEnded());
    return stream;
  }

  /** Reports whether progress requests can be relied upon; false, too, when the server does not tell its version. */
  answersProgressRequests(): Promise<boolean> {
    this.#progress ??= this.call(this.#api.maintenance.Status, {}, { deadlineMs: probeMs }).then(
      ({ version }) => progressIsReliable(version),
      () => {
        this.#progress = undefined;
        return false;
      },
    );
    return this.#progress;
  }

  /** Takes the server for one that fails, until a probe has come through. */
  suspect(): void {
    this.#progress = undefined; // it may be replaced by another release
    if (!this.#isSuspect && !this.#isClosing) {
      this.#isSuspect = true;
      this.#probeLater();
    }
  }

  /** Closes the connection when the calls that are under way have ended. */
  close(): void {
    this.#isClosing = true;
    clearTimeout(this.#probeTimer);
    if (this.#openCalls === 0) {
      this.#client.close();
    }
  }

  #callEnded(): void {
    this.#openCalls--;
    if (this.#isClosing && this.#openCalls === 0) {
      this.#client.close();
    }
  }

  #probeLater(): void {
    this.#probeTimer = setTimeout(() => void this.#probe(), probeMs / 4);
    this.#probeTimer.unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.call(this.#api.kv.Range, { key: Buffer.of(0), countOnly: true }, { deadlineMs: probeMs });
      this.#isSuspect = false;
    } catch (error) {
      this.#isSuspect = isMemberFailure(error); // any other answer comes from a server that works
    }
    if (this.#isSuspect && !this.#isClosing) {
      this.#probeLater();
    }
  }
}

function progressIsReliable(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const since = progressSince[`${major}.${minor}`];
  return since === undefined ? major > 3 || (major === 3 && minor > 5) : patch >= since;
}
