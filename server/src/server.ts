import { setMaxListeners } from "node:events";
import type { Logger } from "@gatehouse/component-base";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base";
import { groupResourceText } from "@gatehouse/envelopes";
import { AdmissionChain } from "./admission/admission-chain.js";
import { namespaceLifecycle } from "./admission/namespace-lifecycle.js";
import { openAuthenticators } from "./authentication/open-authenticators.js";
import { alwaysAllow, alwaysDeny } from "./authorization/always.js";
import type { Authorizer } from "./authorization/authorizer.js";
import { mastersGroup, privilegedGroups } from "./authorization/privileged-groups.js";
import { CloserStack } from "./closer-stack.js";
import type { AuthorizationMode, ServerConfig } from "./config.js";
import { startControllers } from "./controllers/start-controllers.js";
import { discoveryRoutes } from "./discovery/discovery-routes.js";
import { dispatch } from "./dispatch/dispatch.js";
import { dispatchResource } from "./dispatch/dispatch-resource.js";
import { healthRoutes } from "./dispatch/health-routes.js";
import { lazyRoutes } from "./dispatch/lazy-routes.js";
import { metricsRoute } from "./dispatch/metrics-route.js";
import { serverHealthChecks } from "./dispatch/server-health-checks.js";
import { listen } from "./http/listener.js";
import type { Handler } from "./request/handler.js";
import { RequestMetrics } from "./request-metrics.js";
import { builtinResources } from "./resources/builtin/index.js";
import { openResources, selectDefinitions } from "./resources/open-resources.js";
import { ResourceTable } from "./resources/resource-table.js";
import { servedApiOf } from "./resources/served-api-of.js";
import { serviceAllocation } from "./resources/services/service-allocation.js";
import { type ServiceRepairOptions, startServiceRepair } from "./resources/services/start-service-repair.js";
import type { VerbEnvironment } from "./resources/verbs/verb-environment.js";
import { ServerLog } from "./server-log.js";
import { openServingCertificates } from "./serving-certificates.js";
import { assignAuditId } from "./stages/assign-audit-id.js";
import { authenticate } from "./stages/authenticate.js";
import { authorize } from "./stages/authorize.js";
import { enforceDeadline } from "./stages/enforce-deadline.js";
import { forgoCompression } from "./stages/forgo-compression.js";
import { measureRequest } from "./stages/measure-request.js";
import { recoverFromThrow } from "./stages/recover-from-throw.js";
import { resolveRequestInfo } from "./stages/resolve-request-info.js";
import { chain } from "./stages/stage.js";
import { StoreFeed } from "./storage/cache/store-feed.js";
import { startCompactor } from "./storage/compactor.js";
import { openLmdbStore } from "./storage/lmdb/lmdb-store.js";
import type { Store } from "./storage/store.js";
import { version } from "./version.js";

/** A running API server. */
export interface RunningServer {
  readonly port: number;
  /** Ends watches, lets requests finish, stops controllers, closes the store. */
  stop(): Promise<void>;
}

/** Starts the API server. What has been opened is closed again when something fails on the way. */
export async function startServer(config: ServerConfig, logger: Logger): Promise<RunningServer> {
  const stopping = new AbortController();
  // Every watch listens to it.
  setMaxListeners(0, stopping.signal);
  const opened = new CloserStack();
  const stop = (): Promise<void> => {
    stopping.abort();
    return opened[Symbol.asyncDispose]();
  };
  try {
    return { port: await assemble(config, logger, stopping.signal, opened), stop };
  } catch (error) {
    await stop().catch((reason: unknown) => new ServerLog(logger).fault(reason)); // why it did not start matters more
    throw error;
  }
}

/**
 * Puts the API server together: everything is wired here, by hand, and nowhere else. Each thing that must be closed is
 * noted in `opened`. Resolves to the port when requests are served.
 */
async function assemble(
  config: ServerConfig,
  logger: Logger,
  stopping: AbortSignal,
  opened: CloserStack,
): Promise<number> {
  const log = new ServerLog(logger);
  const certificates = await openServingCertificates(config, log, logger);
  opened.defer(() => certificates.reloading[Symbol.dispose]());
  const store = await openLmdbStore({
    directory: config.dataDirectory,
    observer: log,
    onSweepError: (error) => log.expiryFailed(error),
  });
  opened.defer(() => store[Symbol.asyncDispose]());
  const feed = new StoreFeed({ store, prefix: config.keyPrefix, onTrouble: (error) => log.storeTrouble(error) });
  opened.defer(() => feed[Symbol.asyncDispose]());
  const ranges = {
    store,
    keyPrefix: config.keyPrefix,
    addresses: config.serviceRange,
    nodePorts: config.nodePortRange,
  };
  const resources = openResources(selectDefinitions(builtinResources, config), {
    store,
    feed,
    keyPrefix: config.keyPrefix,
    transactions: new Map([["services", serviceAllocation({ ...ranges, reportFault: (error) => log.fault(error) })]]),
  });
  const table = new ResourceTable(resources);
  const registry = createMetricsRegistry({ processMetrics: true });
  const metrics = new RequestMetrics(registry);
  observeStorage(registry, metrics, table);
  const environment: VerbEnvironment = {
    admission: new AdmissionChain([namespaceLifecycle(table)]),
    now: Date.now,
    eventTtlSeconds: config.eventTtlSeconds,
    features: config.featureGates,
    minRequestTimeoutMs: config.minRequestTimeoutMs,
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    garbageCollection: config.garbageCollection,
    stopping,
    metrics,
    reportFault: (error) => log.fault(error),
    storeHealthy: () => answers(store),
  };
  const repair = await startRepair(table, { ...ranges, signal: stopping }, log);
  opened.defer(() => repair?.[Symbol.dispose]());
  const handler = await buildHandler({ config, log, metrics, registry, table, environment, store });
  const listener = await listen({
    host: config.bindAddress,
    port: config.securePort,
    secureContext: certificates.reloading.options,
    requestClientCertificate: config.clientCaFile !== undefined,
    http2MaxStreamsPerConnection: config.http2MaxStreamsPerConnection,
    handler,
    onError: (error) => log.fault(error),
  });
  opened.defer(() => listener.close(config.shutdownGraceMs));
  certificates.reloading.attach(listener.server);
  if (config.compactionIntervalMs > 0) {
    const onError = (error: unknown): void => log.storeTrouble(error);
    const compactor = startCompactor({ store, intervalMs: config.compactionIntervalMs, onError });
    opened.defer(() => compactor[Symbol.dispose]());
  }
  const controllers = startControllers({
    selection: config.controllers,
    table,
    environment,
    store,
    rootCa: certificates.rootCa,
    securePort: listener.port,
    config,
    signal: stopping,
    onError: (controller, error) => log.controllerFailed(controller, error),
  });
  opened.defer(() => controllers.stopped);
  log.listening(config.bindAddress, listener.port, performance.now());
  return listener.port;
}

/** Nothing can be allocated before the repair has run for the first time: it makes the ranges. */
async function startRepair(
  table: ResourceTable,
  options: Omit<ServiceRepairOptions, "services" | "onNotice" | "onError">,
  log: ServerLog,
): Promise<Disposable | undefined> {
  const services = table.findAnyVersion("", "services");
  return services === undefined
    ? undefined
    : startServiceRepair({
        ...options,
        services: services.storage,
        onNotice: (notice) => log.rangeNotice(notice),
        onError: (error) => log.rangeRepairFailed(error),
      });
}

interface HandlerParts {
  readonly config: ServerConfig;
  readonly log: ServerLog;
  readonly metrics: RequestMetrics;
  readonly registry: MetricsRegistry;
  readonly table: ResourceTable;
  readonly environment: VerbEnvironment;
  readonly store: Store;
}

/** The stage list and what stands at its end. */
async function buildHandler(parts: HandlerParts): Promise<Handler> {
  const { config, log, table, environment } = parts;
  const api = servedApiOf(table, config.advertiseAddress ?? config.bindAddress);
  // A request travels down this list. The audit ID exists before anything can fail; what is measured includes failures;
  // the deadline includes authentication; nobody is authorized before it is known who they are.
  const stages = [
    assignAuditId,
    measureRequest(parts.metrics, log),
    recoverFromThrow(log),
    ...(config.featureGates.enabled("APIResponseCompression") ? [] : [forgoCompression]),
    resolveRequestInfo,
    enforceDeadline(config.requestTimeoutMs),
    authenticate(await openAuthenticators(config), config.anonymousAuth, log),
    authorize([privilegedGroups([mastersGroup]), ...config.authorizationModes.map((mode) => authorizers[mode])]),
  ];
  const routes = [
    healthRoutes(serverHealthChecks(parts.store), log),
    discoveryRoutes(api, { version, otherPaths: ["/healthz", "/livez", "/metrics", "/readyz"] }),
    lazyRoutes("/openapi/", async () => (await import("./openapi/openapi-routes.js")).openapiRoutes(api)),
    metricsRoute(parts.registry),
  ];
  return chain(stages, dispatch(dispatchResource(table, environment), routes));
}

const authorizers: Readonly<Record<AuthorizationMode, Authorizer>> = {
  AlwaysAllow: alwaysAllow,
  AlwaysDeny: alwaysDeny,
};

async function answers(store: Store): Promise<boolean> {
  try {
    await store.ping();
    return true;
  } catch {
    return false;
  }
}

function observeStorage(registry: MetricsRegistry, metrics: RequestMetrics, table: ResourceTable): void {
  registry.beforeScrape(() => {
    for (const served of table.all()) {
      if (served.isStored) {
        const { cache, prefix } = served.storage;
        metrics.storageObjects(groupResourceText(served), cache.snapshot().count(prefix));
      }
    }
  });
}
