import {
  callUnary,
  channelCredentials,
  type Grpc,
  loadGrpc,
  type MessageInput,
  type Method,
} from "@gatehouse/component-base/grpc";
import { parseGoUrl } from "@gatehouse/envelopes/go";
import { ValueUnavailableError } from "../../values/value-transformer.js";
import { isPassing, KmsError } from "./kms-error.js";
import type { KmsMetrics } from "./kms-metrics.js";

/** Longest pause in milliseconds between two attempts to reach a plugin: it runs on this machine. */
const maxReconnectMs = 2_000;

/** The plugin to connect to. */
export interface KmsConnectionOptions {
  /** Name of the provider, for metrics. */
  readonly name: string;
  /** `unix:///run/kms.sock`, or `unix:///@name` for a socket in the abstract namespace. */
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** Metrics of every call; KMS v1 has none. */
  readonly metrics?: KmsMetrics | undefined;
}

/**
 * A connection to a plugin on a unix socket. It is made with the first call and made again when it is lost; a call waits
 * for it until its deadline.
 */
export class KmsConnection implements Disposable {
  readonly #grpc: Grpc;
  readonly #client: InstanceType<Grpc["Client"]>;
  readonly #options: KmsConnectionOptions;

  private constructor(grpc: Grpc, options: KmsConnectionOptions) {
    this.#grpc = grpc;
    this.#options = options;
    this.#client = new grpc.Client(kmsTarget(options.endpoint), channelCredentials(grpc, undefined), {
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": maxReconnectMs,
      // Proxies of the environment are for addresses.
      "grpc.enable_http_proxy": 0,
      "grpc.default_authority": "localhost",
    });
  }

  /** Prepares a connection; no call is made yet. */
  static async open(options: KmsConnectionOptions): Promise<KmsConnection> {
    return new KmsConnection(await loadGrpc(), options);
  }

  /** Calls a method. Rejects with a KmsError, in a ValueUnavailableError where the call may succeed later. */
  async call<Request, Response>(method: Method<Request, Response>, request: MessageInput<Request>): Promise<Response> {
    const { name, timeoutMs, metrics } = this.#options;
    const startMs = performance.now();
    const metadata = new this.#grpc.Metadata({ waitForReady: true });
    let status = "OK";
    try {
      return await callUnary(this.#grpc, this.#client, method, request, { deadlineMs: timeoutMs, metadata });
    } catch (error) {
      const failure = kmsErrorOf(error);
      status = failure.statusName;
      throw isPassing(failure) ? new ValueUnavailableError(failure.message, { cause: failure }) : failure;
    } finally {
      metrics?.call(name, method.path, status, (performance.now() - startMs) / 1000);
    }
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

/** Returns the address of an endpoint as grpc-js names it: an abstract socket is a path that begins with NUL. */
export function kmsTarget(endpoint: string): string {
  const url = parseGoUrl(endpoint);
  if (url instanceof Error) {
    throw url;
  }
  const path = decodeURIComponent(url.path);
  return path.startsWith("/@") ? `unix:\0${path.slice(2)}` : `unix:${path}`;
}

function kmsErrorOf(error: unknown): KmsError {
  const { code, details, message } = error as {
    readonly code?: unknown;
    readonly details?: string;
    readonly message: string;
  };
  return new KmsError(typeof code === "number" ? code : 2, details ?? message, { cause: error });
}
