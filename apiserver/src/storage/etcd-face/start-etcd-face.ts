import { type GrpcRoute, type GrpcServerOptions, startGrpcServer } from "@gatehouse/component-base/grpc-server";
import { type HttpsServing, openHttpsServing } from "@gatehouse/component-base/tls";
import type { Keyspace } from "../keyspace.js";
import type { Store } from "../store.js";
import { answerProbe } from "./answer-probe.js";
import type { ListenUrl } from "./etcd-face-options.js";
import { Leases } from "./leases.js";
import { WatchHub } from "./watch-hub.js";

/** The files of TLS, as `etcd --cert-file --key-file --trusted-ca-file` names them. */
export interface EtcdFaceTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authorities of clients: every client shows a certificate of one of them. */
  readonly trustedCaFile: string;
}

/** The store to serve, and where. */
export interface EtcdFaceOptions {
  readonly store: Store;
  /** The keyspace of the store. */
  readonly keyspace: Keyspace;
  readonly urls: readonly ListenUrl[];
  /** The certificate and its key; required when one of the URLs is https. */
  readonly tls?: EtcdFaceTls | undefined;
  /** Called with faults that no client has caused. */
  readonly onFault: (error: unknown) => void;
  /** Largest keys and values of a request in bytes. Default 1.5 MiB, as of etcd's `--max-request-bytes`. */
  readonly maxRequestBytes?: number;
  /** Most operations of a transaction. Default 128, as of etcd's `--max-txn-ops`. */
  readonly maxTxnOperations?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Interval in milliseconds of progress notifications. Default 10 minutes, as etcd's. */
  readonly progressIntervalMs?: number;
  /** The source of connections where the port of the one URL is open already. */
  readonly connections?: GrpcServerOptions["connections"];
  /** Answers to paths beside `/health` and `/version`, in JSON. */
  readonly furtherAnswers?: ReadonlyMap<string, string>;
}

/** The running face. Disposal ends its calls; the store stays open. */
export interface EtcdFace extends AsyncDisposable {
  /** The addresses that are listened on, with the ports that were picked. */
  readonly urls: readonly string[];
  /** Ends the leases whose time is over, after the clock has been set ahead. */
  expireNow(): void;
}

const defaultMaxRequestBytes = 1.5 * 2 ** 20;
const defaultMaxTxnOperations = 128;
/** Bytes that a message may have beyond the largest request, as in etcd. */
const overheadBytes = 512 * 1024;

/** Connections that the face has at a time, and calls of each. */
const maxConnections = 1024;
const maxStreamsPerConnection = 10_000;

const defaultProgressIntervalMs = 600_000;

/** Starts to serve a store by the API of etcd v3. Rejects when it cannot listen, or the files of TLS cannot be used. */
export async function startEtcdFace(options: EtcdFaceOptions): Promise<EtcdFace> {
  const opened: Opened[] = [];
  const close = async (): Promise<void> => {
    for (let part = opened.pop(); part !== undefined; part = opened.pop()) {
      await (Symbol.asyncDispose in part ? part[Symbol.asyncDispose]() : part[Symbol.dispose]());
    }
  };
  try {
    const { urls, leases } = await openFace(options, opened);
    return { urls, expireNow: () => leases.expireNow(), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Opened = Disposable | AsyncDisposable;

interface OpenFace {
  /** The addresses that are listened on. */
  readonly urls: readonly string[];
  readonly leases: Leases;
}

/** Opens the parts of the face in order, and notes each. */
async function openFace(options: EtcdFaceOptions, opened: Opened[]): Promise<OpenFace> {
  const { store, keyspace, urls, onFault } = options;
  const { now = Date.now, progressIntervalMs = defaultProgressIntervalMs } = options;
  const { maxRequestBytes = defaultMaxRequestBytes, maxTxnOperations = defaultMaxTxnOperations } = options;
  const use = <T extends Opened>(part: T): T => {
    opened.push(part);
    return part;
  };
  const identity = await keyspace.identity();
  const leases = use(await Leases.open({ keyspace, now, onError: onFault }));
  const hub = use(await WatchHub.start({ keyspace, onTrouble: onFault }));
  const served: string[] = [];
  // The API is loaded with the first call: an etcd that test harnesses start may never get one.
  let loaded: Promise<readonly GrpcRoute[]> | undefined;
  const loadRoutes = async (): Promise<readonly GrpcRoute[]> => {
    const { etcdRoutes } = await import("./etcd-routes.js");
    const clientUrls = (): readonly string[] => served;
    const limits = { maxRequestBytes, maxTxnOperations };
    return etcdRoutes({ store, keyspace, identity, leases, hub, ...limits, progressIntervalMs, now, clientUrls });
  };
  const routes = (): Promise<readonly GrpcRoute[]> => {
    loaded ??= loadRoutes();
    return loaded;
  };
  const tls = urls.some(({ isSecure }) => isSecure) ? use(await openTls(options.tls)) : undefined;
  for (const { isSecure, host, port } of urls) {
    const server = use(
      await startGrpcServer({
        host,
        port,
        tls: isSecure ? tls : undefined,
        routes,
        maxMessageBytes: maxRequestBytes + overheadBytes,
        maxConnections,
        maxStreamsPerConnection,
        onFault,
        connections: options.connections,
        answerPlain: (request) => answerProbe(request, options),
      }),
    );
    served.push(`${isSecure ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${server.port}`);
  }
  return { urls: served, leases };
}

function openTls(tls: EtcdFaceTls | undefined): Promise<HttpsServing> {
  if (tls === undefined) {
    throw new TypeError("an https URL needs the files of TLS");
  }
  const { certFile, keyFile, trustedCaFile } = tls;
  return openHttpsServing({ certFile, keyFile, callerCaFile: trustedCaFile, askForCertificate: "required" });
}
