import { readFile } from "node:fs/promises";
import type { CallTls } from "@gatehouse/component-base/credentials";
import { type FollowedFiles, followFiles } from "@gatehouse/component-base/files";
import { GrpcConnection, type MessageInput, type Method } from "@gatehouse/component-base/grpc";
import { pause } from "@gatehouse/component-base/time";
import { StoreTimeoutError, StoreUnavailableError, StoreUnusableError } from "../../errors/errors.js";
import { type EtcdApi, loadEtcdApi } from "./api/etcd-api.js";
import { Endpoint, type EndpointAddress } from "./endpoint.js";
import { parseEndpoint } from "./endpoint-addresses.js";
import { isMemberFailure, isRefusal } from "./etcd-errors.js";

/** The servers of an etcd cluster, and how to reach them. */
export interface EtcdTransport {
  /** URLs of the servers. */
  readonly servers: readonly string[];
  /** File with the authorities of the servers' certificates; those of the runtime when not given. */
  readonly caFile?: string;
  /** Files with the client certificate and its key; both or neither. */
  readonly certFile?: string;
  readonly keyFile?: string;
}

/**
 * Says which failed calls may be sent again, to another server. `read`: all. `once`: those that would have an effect once
 * only, however often they are sent. `never`: none that may have reached a server.
 */
export type Repetition = "read" | "once" | "never";

/** The limit of calls, and the receiver of problems with files of TLS. */
export interface EtcdClientOptions {
  /** Time in milliseconds that a call may take, all tries together; 10 seconds by default: etcd gives up after 7. */
  readonly timeoutMs?: number | undefined;
  readonly onRefusal: (error: Error) => void;
}

/** Options of one call. */
export interface EtcdCallOptions {
  readonly repetition: Repetition;
  /** Time in milliseconds for all tries together; that of the client by default. */
  readonly timeoutMs?: number;
  /** Called when a try is repeated that may have had an effect. */
  readonly onUncertain?: () => void;
}

/** The error of a write that may have happened, or may still happen: the answer did not come. */
export class UncertainWriteError extends Error {
  override readonly name = "UncertainWriteError";
}

const defaultTimeoutMs = 10_000;
/** Time in milliseconds after which a call that may be repeated is tried at another server, if there is one. */
const attemptTimeoutMs = 3000;
const certificatePollMs = 1000;

/** A server that sees no leader refuses calls with this header at once, so that others can be asked. */
const headers = { hasleader: "true" };

/** A client of an etcd cluster: sends each call to a server that works. */
export class EtcdClient implements Disposable {
  readonly api: EtcdApi;
  readonly #addresses: readonly EndpointAddress[];
  readonly #files: FollowedFiles<CallTls> | undefined;
  readonly #timeoutMs: number;
  #endpoints: readonly Endpoint[] = [];
  #next = 0;
  #isClosed = false;

  /** Opens a client. Throws StoreUnusableError for URLs and files that cannot be used. Does not wait for a server. */
  static async open(transport: EtcdTransport, options: EtcdClientOptions): Promise<EtcdClient> {
    const api = await loadEtcdApi();
    const addresses = addressesOf(transport);
    let client: EtcdClient | undefined;
    const files = await openFiles(transport, {
      onReload: (tls) => client?.connect(tls),
      onRefusal: options.onRefusal,
    });
    client = new EtcdClient(api, { addresses, files, timeoutMs: options.timeoutMs ?? defaultTimeoutMs });
    return client;
  }

  private constructor(
    api: EtcdApi,
    parts: {
      readonly addresses: readonly EndpointAddress[];
      readonly files: FollowedFiles<CallTls> | undefined;
      readonly timeoutMs: number;
    },
  ) {
    const { addresses, files, timeoutMs } = parts;
    this.#timeoutMs = timeoutMs;
    this.api = api;
    this.#addresses = addresses;
    this.#files = files;
    this.connect(files?.current ?? {});
  }

  /** The servers, in the order of their URLs. */
  get endpoints(): readonly Endpoint[] {
    return this.#endpoints;
  }

  /** Makes connections with TLS material for the calls from now on; calls under way keep theirs. */
  connect(tls: CallTls): void {
    const former = this.#endpoints;
    this.#endpoints = this.#addresses.map((address) => {
      const connection = new GrpcConnection({
        address: address.address,
        tls: address.isSecure ? tls : undefined,
        headers,
      });
      return new Endpoint(address, { api: this.api, connection });
    });
    for (const endpoint of former) {
      endpoint.close();
    }
  }

  /**
   * Calls a method with one request and one answer. Rejects with the error of gRPC; with StoreTimeoutError when no
   * server can be reached; with UncertainWriteError when a write may have happened.
   */
  async call<Request, Response>(
    method: Method<Request, Response>,
    request: MessageInput<Request>,
    { repetition, timeoutMs = this.#timeoutMs, onUncertain }: EtcdCallOptions,
  ): Promise<Response> {
    const endsAt = performance.now() + timeoutMs;
    let retryMs = 25;
    let isUncertain = false;
    for (;;) {
      const endpoint = await this.endpoint(endsAt - performance.now());
      const isLimited = repetition !== "never" && this.#endpoints.length > 1;
      const leftMs = Math.max(1, endsAt - performance.now());
      try {
        const deadlineMs = isLimited ? Math.min(attemptTimeoutMs, leftMs) : leftMs;
        return await endpoint.call(method, request, { deadlineMs });
      } catch (error) {
        isUncertain ||= repetition !== "read" && !isRefusal(error);
        const mayRepeat = repetition !== "never" || isRefusal(error);
        if (!isMemberFailure(error) || !mayRepeat || performance.now() + retryMs >= endsAt) {
          // Whatever the last try has come to, one before may have had its effect.
          throw isUncertain ? new UncertainWriteError("the answer of etcd was lost", { cause: error }) : error;
        }
        if (isUncertain) {
          onUncertain?.();
        }
        await pause(retryMs, neverAborted);
        retryMs = Math.min(2 * retryMs, 1000);
      }
    }
  }

  /**
   * Returns a server that calls can be sent to: in turn one of those that work. Rejects with StoreTimeoutError when
   * none can be reached in `timeoutMs`.
   */
  async endpoint(timeoutMs: number = this.#timeoutMs): Promise<Endpoint> {
    const ready = this.#pick();
    if (ready !== undefined) {
      return ready;
    }
    if (this.#isClosed) {
      throw new StoreUnavailableError("the store is closed");
    }
    const waits = this.#endpoints.map((endpoint) => endpoint.waitForReady(timeoutMs).then(() => endpoint));
    return Promise.any(waits).catch((error: unknown) => {
      throw new StoreTimeoutError({ cause: error });
    });
  }

  #pick(): Endpoint | undefined {
    const count = this.#endpoints.length;
    let suspect: Endpoint | undefined;
    this.#next = (this.#next + 1) % count;
    for (let offset = 0; offset < count; offset++) {
      const endpoint = this.#endpoints[(this.#next + offset) % count] as Endpoint;
      if (endpoint.isReady) {
        if (!endpoint.isSuspect) {
          return endpoint;
        }
        suspect ??= endpoint;
      }
    }
    return suspect;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#files?.[Symbol.dispose]();
    for (const endpoint of this.#endpoints) {
      endpoint.close();
    }
  }
}

const { signal: neverAborted } = new AbortController();

function addressesOf({ servers }: EtcdTransport): readonly EndpointAddress[] {
  try {
    return servers.map(parseEndpoint);
  } catch (error) {
    throw new StoreUnusableError(`the etcd servers: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads and follows the files of TLS; undefined when there are none. */
async function openFiles(
  { caFile, certFile, keyFile }: EtcdTransport,
  observer: { readonly onReload: (tls: CallTls) => void; readonly onRefusal: (error: Error) => void },
): Promise<FollowedFiles<CallTls> | undefined> {
  const files = [caFile, certFile, keyFile].filter((file) => file !== undefined);
  if (files.length === 0) {
    return undefined;
  }
  const read = async (): Promise<CallTls> => ({
    ...(caFile === undefined ? {} : { certificateAuthorityPem: await readFile(caFile, "utf8") }),
    ...(certFile === undefined || keyFile === undefined
      ? {}
      : {
          clientCertificate: {
            certificatePem: await readFile(certFile, "utf8"),
            keyPem: await readFile(keyFile, "utf8"),
          },
        }),
  });
  try {
    return await followFiles({ files, read, pollIntervalMs: certificatePollMs, ...observer });
  } catch (error) {
    throw new StoreUnusableError(`the TLS files of etcd: ${(error as Error).message}`, { cause: error });
  }
}
