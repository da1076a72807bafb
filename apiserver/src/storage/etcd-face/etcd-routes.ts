import type { GrpcRoute } from "@gatehouse/component-base/grpc-server";
import { loadEtcdApi } from "../etcd/api/index.js";
import type { Keyspace } from "../keyspace.js";
import type { Store } from "../store.js";
import { clusterRoutes } from "./cluster-services.js";
import type { Identity } from "./headers.js";
import { healthRoutes } from "./health-routes.js";
import { kvRoutes } from "./kv-service.js";
import { leaseRoutes } from "./lease-service.js";
import type { Leases } from "./leases.js";
import { refusedRoutes } from "./refused-methods.js";
import type { WatchHub } from "./watch-hub.js";
import { watchRoutes } from "./watch-service.js";

/** The store, leases and watches that the methods of etcd's API work on. */
export interface EtcdRoutesOptions {
  readonly store: Store;
  readonly keyspace: Keyspace;
  readonly identity: Identity;
  readonly leases: Leases;
  readonly hub: WatchHub;
  /** Largest keys and values of a request in bytes. */
  readonly maxRequestBytes: number;
  /** Most operations of a transaction. */
  readonly maxTxnOperations: number;
  /** Interval in milliseconds of progress notifications. */
  readonly progressIntervalMs: number;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the addresses of the face. */
  readonly clientUrls: () => readonly string[];
}

/** Returns the methods of etcd's API. */
export async function etcdRoutes(options: EtcdRoutesOptions): Promise<readonly GrpcRoute[]> {
  const { store, keyspace, identity, leases, hub, progressIntervalMs, now, clientUrls } = options;
  const { maxRequestBytes, maxTxnOperations } = options;
  const api = await loadEtcdApi();
  return [
    ...kvRoutes(api.kv, { keyspace, store, identity, maxRequestBytes, maxTxnOperations }),
    ...leaseRoutes(api.lease, { keyspace, leases, identity }),
    ...watchRoutes(api.watch, { keyspace, hub, identity, progressIntervalMs }),
    ...clusterRoutes(api, { keyspace, store, identity, clientUrls, now }),
    ...healthRoutes(),
    ...refusedRoutes(),
  ];
}
