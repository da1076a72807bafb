import { setMaxListeners } from "node:events";
import { InProcessObjectClient } from "@gatehouse/apiserver/client";
import { RequestMetrics } from "@gatehouse/apiserver/filters";
import { listen } from "@gatehouse/apiserver/http";
import { ServerLog } from "@gatehouse/apiserver/logs";
import type { Logger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import { groupResourceText } from "@gatehouse/envelopes/status";
import { openAuthenticationPart } from "./assembly/authentication-part.js";
import { openAuthorizationPart } from "./assembly/authorization-part.js";
import { objectAccess } from "./assembly/cached-object-access.js";
import { Closers } from "./assembly/closers.js";
import { verbEnvironment } from "./assembly/create-verb-environment.js";
import { openAdmission } from "./assembly/open-admission.js";
import { openAudit } from "./assembly/open-audit.js";
import { buildRequestHandler } from "./assembly/request-handler.js";
import { objectInterfaces } from "./assembly/served-object-interfaces.js";
import { serviceAddresses } from "./assembly/service-addresses.js";
import { openStorage, type StoragePart } from "./assembly/storage-part.js";
import { openFailedOpenPart } from "./controllers/failed-open/failed-open-part.js";
import { startControllers } from "./controllers/start-controllers.js";
import { builtinGroups } from "./kinds/builtin-resources.js";
import { selectControllers } from "./options/controller-selection.js";
import type { ServerConfig } from "./options/server-config.js";
import { PendingCharges } from "./quota/pending-charges.js";
import { openServingCertificates } from "./serving-certificates.js";

/** An API server that has been started. */
export interface StartedServer {
  /** Resolves to the port when requests are served. Rejects when the start has failed; then, too, `stop` must be called. */
  readonly serving: Promise<number>;
  /**
   * Ends watches, lets requests finish, stops controllers, closes the store. To be called when `serving` has settled.
   * Rejects when something cannot be closed.
   */
  stop(): Promise<void>;
}

/** Starts the API server. */
export function startServer(config: ServerConfig, logger: Logger): StartedServer {
  const stopping = new AbortController();
  // Every watch listens to it.
  setMaxListeners(0, stopping.signal);
  const closers = new Closers();
  return {
    serving: assemble(config, logger, stopping.signal, closers),
    async stop() {
      stopping.abort();
      await closers[Symbol.asyncDispose]();
    },
  };
}

/**
 * Assembles the API server from parts that add to `closers` what must be closed. Resolves to the port when requests are
 * served.
 */
async function assemble(
  config: ServerConfig,
  logger: Logger,
  stopping: AbortSignal,
  closers: Closers,
): Promise<number> {
  const log = new ServerLog(logger);
  const certificates = await openServingCertificates(config, log, logger);
  closers.use(certificates.reloading);
  const storage = await openStorage(
    { config, log, stopping, serviceAddresses: (...service) => addresses(...service) },
    closers,
  );
  const registry = createMetricsRegistry({ processMetrics: true });
  const metrics = new RequestMetrics(registry);
  registry.beforeScrape(() => countObjects(storage, metrics));
  const audit = await openAudit(config.audit, { registry, log, closingMs: config.shutdownGraceMs, closers });
  const { liveRegistry } = storage;
  const reportFault = (error: unknown): void => log.fault(error);
  const authorization = await openAuthorizationPart({
    config,
    liveRegistry,
    registry,
    signal: stopping,
    reportFault,
  });
  const { privileges } = authorization;
  const defaulting = createDefaulting(builtinDefaultingFunctions);
  const objects = objectAccess(
    liveRegistry,
    () => new InProcessObjectClient(liveRegistry, environment, stopping, "kube-apiserver"),
  );
  const addresses = serviceAddresses(objects, { host: config.bindAddress, port: () => listener.port });
  const pendingCharges = new PendingCharges(Date.now);
  const failedOpen = openFailedOpenPart({
    store: storage.store,
    key: `${config.keyPrefix}gatehouse.dev/failed-open`,
    maxEntries: config.admission.webhookLedgerSize,
    reportFault,
  });
  const admission = await openAdmission(config.admission, {
    objects,
    forms: objectInterfaces({ liveRegistry, defaulting, features: config.featureGates }),
    serviceAddresses: addresses,
    failedOpen: failedOpen.note,
    mayDo: privileges.mayDo,
    pendingCharges,
    features: config.featureGates,
    now: Date.now,
    metrics: registry,
    signal: stopping,
    reportFault,
  });
  await objects.ready();
  const environment = verbEnvironment(config, {
    storage,
    admission,
    privileges,
    defaulting,
    metrics,
    log,
    stopping,
    audit,
  });
  const authentication = await openAuthenticationPart({
    config,
    liveRegistry,
    client: () => new InProcessObjectClient(liveRegistry, environment, stopping, "kube-apiserver"),
    clientAuthorities: certificates.clientAuthorities,
    proxyAuthorities: certificates.proxyAuthorities,
    signal: stopping,
    port: () => listener.port,
    now: Date.now,
    registry,
    reportFault,
    onIssuerTrouble: (issuer, problem) => log.issuerTrouble(issuer, problem),
  });
  let namespacesReady = !selectControllers(config.controllers).includes("system-namespaces-controller");
  const parts = {
    config,
    log,
    metrics,
    registry,
    storage,
    environment,
    authorization,
    authentication,
    failedOpen,
    audit,
    namespacesReady: () => namespacesReady,
  };
  const handler = buildRequestHandler(parts);
  const listener = await listen({
    host: config.bindAddress,
    port: config.securePort,
    secureContext: certificates.reloading.options,
    requestClientCertificate: config.clientCaFile !== undefined || config.authentication.requestHeader !== undefined,
    http2MaxStreamsPerConnection: config.http2MaxStreamsPerConnection,
    handler,
    onError: reportFault,
  });
  closers.add(() => listener.close(config.shutdownGraceMs));
  certificates.reloading.attach(listener.server);
  const controllers = startControllers({
    selection: config.controllers,
    liveRegistry,
    builtinGroups,
    environment,
    pendingCharges,
    store: storage.store,
    rootCa: certificates.rootCa,
    authenticationInfo: {
      clientAuthorities: certificates.clientAuthorities,
      proxyAuthorities: certificates.proxyAuthorities,
      requestHeader: config.authentication.requestHeader,
    },
    legacySigner: authentication.legacySigner,
    securePort: listener.port,
    config,
    onRolesReady: authorization.bootstrapRoles?.onReady,
    onNamespacesReady: () => {
      namespacesReady = true;
    },
    signal: stopping,
    onError: (controller, error) => log.controllerFailed(controller, error),
  });
  closers.add(() => controllers.stopped);
  log.listening(config.bindAddress, listener.port, performance.now());
  return listener.port;
}

function countObjects({ liveRegistry }: StoragePart, metrics: RequestMetrics): void {
  for (const served of liveRegistry.current.stored()) {
    const { cache, prefix } = served.storage;
    metrics.storageObjects(groupResourceText(served), cache.snapshot().count(prefix));
  }
}
