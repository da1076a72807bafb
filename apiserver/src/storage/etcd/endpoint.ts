import type {
  GrpcAddress,
  GrpcConnection,
  MessageInput,
  Method,
  SessionCallOptions,
  StreamCall,
  StreamListener,
} from "@gatehouse/component-base/grpc";
import type { EtcdApi } from "./api/etcd-api.js";
import { isMemberFailure } from "./etcd-errors.js";

/** An etcd server as it was configured. */
export interface EndpointAddress {
  /** The URL, for messages. */
  readonly url: string;
  readonly address: GrpcAddress;
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
  readonly #api: EtcdApi;
  readonly #connection: GrpcConnection;
  #isClosing = false;
  #isSuspect = false;
  #probeTimer: NodeJS.Timeout | undefined;
  #progress: Promise<boolean> | undefined;

  constructor(
    address: EndpointAddress,
    { api, connection }: { readonly api: EtcdApi; readonly connection: GrpcConnection },
  ) {
    this.address = address;
    this.#api = api;
    this.#connection = connection;
  }

  /** True if calls can be sent now. */
  get isReady(): boolean {
    return this.#connection.isReady;
  }

  /** True if the server failed to answer, and no probe has come through since. */
  get isSuspect(): boolean {
    return this.#isSuspect;
  }

  /** Waits until calls can be sent; rejects with the reason after so many milliseconds. */
  waitForReady(timeoutMs: number): Promise<void> {
    return this.#connection.waitForReady(timeoutMs);
  }

  /** Calls a method with one request and one answer. */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: MessageInput<Request>,
    options: SessionCallOptions,
  ): Promise<Response> {
    try {
      return await this.#connection.call(method, request, options);
    } catch (error) {
      if (isMemberFailure(error)) {
        this.suspect();
      }
      throw error;
    }
  }

  /** Opens a call with streams in both directions. Throws GrpcCallError when the server cannot be reached. */
  openStream<Request, Response>(
    method: Method<Request, Response>,
    listener: StreamListener<Response>,
  ): StreamCall<Request, Response> {
    return this.#connection.openStream(method, listener);
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
    this.#connection[Symbol.dispose]();
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
