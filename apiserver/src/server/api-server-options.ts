import type { Logger } from "@gatehouse/component-base/logs";
import type { MetricsPolicy, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { DefaultingFunctions } from "@gatehouse/envelopes/defaults";
import type { GroupVersionKind } from "@gatehouse/envelopes/schema";
import type { RbacIndex } from "@gatehouse/policies/rbac";
import type { AuditOptions } from "../audit/outputs/resolve-audit.js";
import type { Authenticator } from "../authentication/authenticator.js";
import type { RequestHeaderOptions } from "../authentication/request-header.js";
import type { Authorizer } from "../authorization/authorizer.js";
import type { Delegation } from "../delegation/delegation.js";
import type { Filter } from "../filters/filter.js";
import type { RequestLimits } from "../flow-control/index.js";
import type { StorageMediaType } from "../forms/at-rest/storage-media-type.js";
import type { ConnectionSource } from "../http/connection-source.js";
import type { ServerLog } from "../logs/server-log.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { IPFamily } from "../options/ip-address.js";
import type { WatchCaches } from "../options/watch-caches.js";
import type { WriteTransactions } from "../registry/write-transactions.js";
import type { MaybePromise } from "../request/handler.js";
import type { ApiGroup } from "../resources/api-group.js";
import type { Store } from "../storage/store.js";
import type { HandlersOfKinds } from "../verbs/verb-handler.js";
import type { Closer } from "./closers.js";
import type { VerbSettings } from "./create-verb-environment.js";
import type { OwnHealthChecks, StoreCheckTimeouts } from "./health-checks.js";
import type { AdmissionOptions, PluginConfiguration } from "./open-admission.js";
import type { StorageEncryption } from "./open-encryption.js";
import type { ProcessGroup } from "./process-group.js";
import type { FurtherRoutes } from "./request-handler.js";
import type { AdmissionParts, AuthenticatorParts, Given, HandlerParts, ServerParts } from "./server-parts.js";
import type { ServingCertificatesOptions } from "./serving-certificates.js";
import type { ShutdownOptions } from "./shutdown.js";

/** The parts of a server that exist when its store is opened. */
export interface StoreParts {
  readonly log: ServerLog;
  readonly metrics: MetricsRegistry;
}

/**
 * The options of `startApiServer`. What is handed in is a value, or a function that makes it of parts of the server.
 * Without authenticators and authorizers a server refuses every request but those of its own client.
 */
export interface ApiServerOptions extends ApiServerExtensions {
  /** The API groups in the order of discovery. */
  readonly groups: readonly ApiGroup[];
  /** The folder of the store and the certificates; a temporary one, which is removed at the end, when absent. */
  readonly directory?: string | undefined;
  /** The address to listen on; `127.0.0.1` when absent. */
  readonly bindAddress?: string;
  /** The port to listen on; absent or 0: any that is free. */
  readonly port?: number;
  /** The serving certificates, and the authorities of clients; made in `directory` when absent. */
  readonly certificates?: Partial<ServingCertificatesOptions>;
  /** The host that discovery tells in-cluster clients; `bindAddress` when absent. */
  readonly advertiseAddress?: string;
  /** The host, with a port or without, that discovery tells clients instead of the advertised one. */
  readonly externalHost?: string | undefined;
  /** The title and version of OpenAPI documents; those of Kubernetes when absent. */
  readonly apiInfo?: { readonly title: string; readonly version: string };
  /** True if other processes may open the same port (SO_REUSEPORT). */
  readonly sharesPort?: boolean;
  /** Patterns in Go's syntax of the origins whose scripts may read answers in a browser; none when absent. */
  readonly allowedOrigins?: readonly string[];
  /** The directives of the header `Strict-Transport-Security`; it is not sent when absent or empty. */
  readonly transportSecurity?: readonly string[];
  /** The limit of concurrent streams per connection; absent or 0: 100. */
  readonly http2MaxStreamsPerConnection?: number;
  /**
   * The store of the objects: a function is called to open one, which the server closes at the end; a store that is
   * handed in is left open. The embedded store in `directory` when absent.
   */
  readonly store?: Given<Store, StoreParts>;
  /**
   * Returns other stores by the prefix of the resources that they hold (`events`), each opened once and closed by the
   * server.
   */
  readonly otherStores?: (parts: StoreParts) => Promise<ReadonlyMap<string, Store>>;
  /** The serialization of the values in the stores; JSON of this server alone when absent. */
  readonly storedValues?: StoredValuesOptions;
  /** The times that checks of the store's health may take. */
  readonly storeTimeouts?: StoreCheckTimeouts;
  /** True if the metrics tell the number of stored objects; true when absent. */
  readonly countsObjects?: boolean;
  /** The resources that have a watch cache; as in v1.29, all but events, when absent. */
  readonly watchCaches?: WatchCaches;
  /** The prefix of all keys, with a slash at its end; `/registry/` when absent. */
  readonly keyPrefix?: string;
  /** The encryption of what is stored; none when absent. */
  readonly encryption?: StorageEncryption | undefined;
  /** The interval in milliseconds between compactions of the store; 300,000 when absent, 0 to keep all history. */
  readonly compactionIntervalMs?: number;
  /** Transactions by resource (`services`, `deployments.apps`) that writes take part in. */
  readonly transactions?: Given<ReadonlyMap<string, WriteTransactions>, StoreParts & { readonly store: Store }>;
  /** Returns extensions that share parts; called once, when the store and its resources are open. */
  readonly extend?: (parts: ServerParts) => MaybePromise<ApiServerExtensions>;
  /** True if requests without credentials are those of `system:anonymous`; false when absent. */
  readonly anonymousAuth?: boolean;
  /** The audiences of which tokens with an audience must name one. */
  readonly apiAudiences?: readonly string[];
  /** The headers of front proxies, which are removed when the user is known. */
  readonly requestHeader?: RequestHeaderOptions | undefined;
  /** The audit policy and the outputs of events; nothing is recorded when absent. */
  readonly audit?: AuditOptions | undefined;
  /** The rules of what `/metrics` shows; every metric as it is when absent. */
  readonly metricsPolicy?: MetricsPolicy | undefined;
  /** The path of a TracingConfiguration; no request is traced when absent. */
  readonly tracingConfigFile?: string | undefined;
  /** True if CPU and heap profiles are served at `/debug/pprof/`; false when absent. */
  readonly profiling?: boolean;
  /** The path of a Unix socket at which profiles are served without authentication; none when absent. */
  readonly debugSocketPath?: string | undefined;
  /** Defaults of typed kinds that are functions of an object. */
  readonly defaultingFunctions?: DefaultingFunctions;
  readonly settings?: VerbSettings;
  /** The features that are on; those of v1.29 when absent. */
  readonly features?: FeatureGates;
  /** The limits of concurrent requests; without fairness 400 reads and 200 writes when absent. */
  readonly requestLimits?: RequestLimits;
  /** The fraction of HTTP/2 requests after which the connection takes no more; 0 when absent. */
  readonly goawayChance?: number;
  /** The time in milliseconds that a request may take; 60,000 when absent. */
  readonly requestTimeoutMs?: number;
  /** The time in milliseconds that requests under way may take when the server stops; 10,000 when absent. */
  readonly shutdownGraceMs?: number;
  /** The steps of the end of the server, where it does not end everything at once. */
  readonly shutdown?: Partial<ShutdownOptions>;
  /** The time in milliseconds after the start in which `/livez` answers well, whatever its checks say; 0 when absent. */
  readonly livezGraceMs?: number;
  /** The field manager of the server's own writes; `apiserver` when absent. */
  readonly fieldManager?: string;
  /** Returns the time in milliseconds since the epoch; that of the machine when absent. */
  readonly now?: () => number;
  /** A filter that every request passes first; none when absent. */
  readonly outerFilter?: Filter;
  /** A filter that every request passes when its user is known, before its turn comes; none when absent. */
  readonly innerFilter?: Filter;
  /** The source of connections, where the port is open already; the server opens it when absent. */
  readonly connections?: ConnectionSource;
  /** The other processes that serve the same port; absent for a server of one process. */
  readonly processes?: ProcessGroup | undefined;
  /** The log; nothing is logged when absent. */
  readonly logger?: Logger;
}

/**
 * The parts of a server that decide about requests and serve them. They are opened in this order, before the first request
 * is served.
 */
export interface ApiServerExtensions {
  /**
   * The authorizers in the order in which they are asked, behind one by which `system:masters` may do everything. A
   * request that none allows is denied.
   */
  readonly authorizers?: Given<readonly Authorizer[]>;
  /** Returns the roles and bindings of this server, for kinds that grant rights; none when absent. */
  readonly rbac?: () => Promise<RbacIndex>;
  /** The admission plugins, and their configuration; none when absent. */
  readonly admission?: Given<AdmissionOptions<AdmissionParts & PluginConfiguration>, ServerParts>;
  /** The authenticators in the order in which they are asked. */
  readonly authenticators?: Given<readonly Authenticator[], AuthenticatorParts>;
  /** Handlers of kinds that no general mechanism serves, besides those that resources bring with them. */
  readonly handlers?: Given<HandlersOfKinds, HandlerParts>;
  /** Routes beside those of every server. */
  readonly routes?: Given<readonly FurtherRoutes[], HandlerParts>;
  /** The group versions that other servers serve behind this one; none when absent. */
  readonly delegation?: Given<Delegation, HandlerParts>;
  /** Filters that requests pass when they have been authorized, in front of all that is served; none when absent. */
  readonly lastFilters?: Given<readonly Filter[], HandlerParts>;
  /** Health checks besides those of every server. */
  readonly healthChecks?: Given<OwnHealthChecks, HandlerParts>;
  /**
   * Called when requests are served: starts controllers. Returns a function that waits for their end, when the signal has
   * aborted.
   */
  readonly onServing?: (parts: HandlerParts) => MaybePromise<Closer>;
}

/** The serialization of values in the store. */
export interface StoredValuesOptions {
  /** The media type of typed kinds; JSON when absent. Every other is read as well. */
  readonly mediaType?: StorageMediaType;
  /** True for a store that kube-apiserver may write to as well; false when absent. */
  readonly isShared?: boolean;
  /** The family of addresses that services of this cluster get first; IPv4 when absent. */
  readonly primaryFamily?: IPFamily;
  /** Typed kinds of records in the store that are no resources, each with its prefix under that of all keys. */
  readonly records?: readonly (GroupVersionKind & { readonly prefix: string })[];
}
