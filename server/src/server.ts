import { networkInterfaces } from "node:os";
import { lazyRoutes } from "@gatehouse/apiserver/routes";
import {
  type ApiServerExtensions,
  type ApiServerOptions,
  beginApiServer,
  type Closer,
  type HandlerParts,
  type ServerParts,
} from "@gatehouse/apiserver/server";
import type { Logger, LogThreshold } from "@gatehouse/component-base/logs";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import { openAggregation } from "./aggregation/open-aggregation.js";
import { type AddressObjectsPart, addressObjectsPart } from "./assembly/address-objects-part.js";
import { AddressSteps } from "./assembly/address-steps.js";
import { admissionWith } from "./assembly/admission-part.js";
import { apiGroups } from "./assembly/api-groups.js";
import { authenticationPart } from "./assembly/authentication-part.js";
import { openAuthorizationPart } from "./assembly/authorization-part.js";
import { controllerMetrics } from "./assembly/controller-metrics.js";
import { electionOf } from "./assembly/election.js";
import { followFlowControl } from "./assembly/follow-flow-control.js";
import { controlPlaneChecks } from "./assembly/health-checks.js";
import { hookParts } from "./assembly/hook-parts.js";
import { openNodeCalls } from "./assembly/node-calls.js";
import { openCustomResources } from "./assembly/open-custom-resources.js";
import { openStorageVersions } from "./assembly/open-storage-versions.js";
import { openPendingCharges } from "./assembly/pending-charges-of-workers.js";
import { serviceAddresses } from "./assembly/service-addresses.js";
import { openServiceRanges, serviceTransactions } from "./assembly/service-ranges.js";
import { readRootCa, servingCertificatesOptions } from "./assembly/serving-certificates.js";
import { storeOptions } from "./assembly/store-options.js";
import { storedValues } from "./assembly/stored-values.js";
import { openFailedOpenPart } from "./controllers/failed-open/failed-open-part.js";
import { advertisedAddress } from "./controllers/kubernetes-service/advertised-address.js";
import { type RunningControllers, startControllers } from "./controllers/start-controllers.js";
import { debugFlagsRoutes } from "./debug/debug-flags.js";
import { logFilesDocument } from "./debug/log-files-document.js";
import { openEtcdFace } from "./etcd-face/open-etcd-face.js";
import type { HarnessParts } from "./harness/index.js";
import { builtinResources } from "./kinds/builtin-resources.js";
import { countIssuedDurations } from "./kinds/certificates/certificate-signing-request/issued-durations.js";
import { builtinGroups } from "./kinds/groups.js";
import { builtinHandlers } from "./kinds/handlers.js";
import type { ControllerName } from "./options/controller-names.js";
import { selectControllers } from "./options/controller-selection.js";
import type { ServerConfig } from "./options/server-config.js";
import { openPeers } from "./peers/open-peers.js";
import { issuerMetadataPaths, issuerMetadataRoutes } from "./service-accounts/issuer-metadata-routes.js";
import { startWhenLeading } from "./workers/leading.js";
import { limitsOfWorker } from "./workers/limits-of-worker.js";
import { openMilestones } from "./workers/milestones.js";
import type { WorkerGroup } from "./workers/worker-group.js";

/** An API server that has been started. */
export interface StartedServer {
  /** Resolves to the port when requests are served. Rejects when the start has failed; then, too, `stop` must be called. */
  readonly serving: Promise<number>;
  /** Resolves to true if every check behind `/readyz` succeeds now. To be called when requests are served. */
  isReady(): Promise<boolean>;
  /**
   * Ends watches, lets requests finish, stops controllers, closes the store. To be called when `serving` has settled.
   * Rejects when something cannot be closed.
   */
  stop(): Promise<void>;
}

const logFiles = lazyRoutes("/logs", async () => (await import("./debug/log-files.js")).logFilesRoutes());

/** Variables of the environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Starts the control plane: the API server of the library, with the built-in kinds and all that they need. The
 * environment tells a server in a pod where the API server of its cluster is.
 */
export function startServer(
  config: ServerConfig,
  logger: Logger,
  environment: Environment = {},
  workers?: WorkerGroup,
  logThreshold: LogThreshold = { level: "info" },
  harness: HarnessParts = {},
): StartedServer {
  const addressObjects = config.featureGates.enabled("MultiCIDRServiceAllocator") ? addressObjectsPart() : undefined;
  const advertised = advertisedAddress(config, networkInterfaces);
  let isBootstrapped = false;
  const ofStore = storeOptions(config, {
    workers,
    now: harness.now,
    onBootstrapped() {
      isBootstrapped = true;
    },
  });
  const { serving, stop } = beginApiServer({
    groups: apiGroups(config),
    directory: config.dataDirectory,
    logger,
    bindAddress: config.bindAddress,
    port: config.securePort,
    certificates: servingCertificatesOptions(config),
    advertiseAddress: advertised,
    externalHost: config.externalHost,
    sharesPort: config.tls.sharesPort,
    ...config.webHeaders,
    http2MaxStreamsPerConnection: config.http2MaxStreamsPerConnection,
    ...ofStore,
    storedValues: storedValues(config),
    watchCaches: config.watchCaches,
    countsObjects: config.countsObjects,
    keyPrefix: config.keyPrefix,
    encryption: config.encryption && { ...config.encryption, resources: builtinResources },
    transactions: (parts) =>
      new Map([
        ["services", serviceTransactions(config, parts, addressObjects)],
        ["certificatesigningrequests.certificates.k8s.io", countIssuedDurations(parts.metrics)],
      ]),
    defaultingFunctions: builtinDefaultingFunctions,
    settings: {
      allowPrivileged: config.allowPrivileged,
      deleteCollectionWorkers: config.deleteCollectionWorkers,
      eventTtlSeconds: config.eventTtlSeconds,
      garbageCollection: config.garbageCollection,
      minRequestTimeoutMs: config.minRequestTimeoutMs,
      podTermination: config.podTermination,
    },
    features: config.featureGates,
    audit: config.audit,
    metricsPolicy: config.metricsPolicy,
    profiling: config.profiling.isServed,
    tracingConfigFile: config.tracingConfigFile,
    debugSocketPath: debugSocketOf(config.profiling.socketPath, workers),
    anonymousAuth: config.anonymousAuth,
    apiAudiences: config.authentication.apiAudiences,
    requestHeader: config.authentication.requestHeader,
    goawayChance: config.goawayChance,
    requestLimits: limitsOfWorker(config.requestLimits, workers?.count),
    requestTimeoutMs: config.requestTimeoutMs,
    shutdownGraceMs: config.shutdown.graceMs,
    shutdown: config.shutdown,
    livezGraceMs: config.livezGraceMs,
    fieldManager: "kube-apiserver",
    processes: workers,
    extend: (parts) =>
      extend(config, parts, {
        ...{ logger, logThreshold, environment, workers, harness },
        ...{ advertised, addressObjects, isBootstrapped },
      }),
    ...partsOfLibrary(harness, ofStore.store),
  });
  return {
    serving: serving.then(({ port }) => port),
    isReady: async () => (await serving).isReady(),
    stop,
  };
}

/** Returns the parts of a test harness that the library takes. */
function partsOfLibrary(
  { store, now, outerFilter, innerFilter, connections }: HarnessParts,
  configured: ApiServerOptions["store"],
): Partial<ApiServerOptions> {
  return {
    ...(store && { store: (parts) => store(parts, configured) }),
    ...(now && { now }),
    ...(outerFilter && { outerFilter }),
    ...(innerFilter && { innerFilter }),
    ...(connections && { connections }),
  };
}

/** Returns the path of the socket for profiles; further workers add their number to it. */
function debugSocketOf(path: string | undefined, workers: WorkerGroup | undefined): string | undefined {
  return path === undefined || workers === undefined || workers.number === 1 ? path : `${path}.${workers.number}`;
}

/** Opens the parts of the control plane that any kind lacks. */
async function extend(
  config: ServerConfig,
  server: ServerParts,
  surroundings: {
    logger: Logger;
    logThreshold: LogThreshold;
    environment: Environment;
    workers: WorkerGroup | undefined;
    harness: HarnessParts;
    /** The address under which others reach this server. */
    advertised: string;
    addressObjects: AddressObjectsPart | undefined;
    /** True if the objects of every cluster have been written to a new store. */
    isBootstrapped: boolean;
  },
): Promise<ApiServerExtensions> {
  const { logger, logThreshold, environment, workers, harness } = surroundings;
  const { advertised, addressObjects, isBootstrapped } = surroundings;
  harness.onOpen?.(server);
  await openEtcdFace(config.etcdFace, server, workers, harness.onClockAdvance);
  const own = { host: config.bindAddress, port: server.port };
  const addresses = serviceAddresses(server.objects, own, config.aggregation);
  // Nothing can be allocated before the repair has run for the first time: it makes the ranges.
  const rangesReady = await openServiceRanges(config, server, addressObjects);
  await openCustomResources(addresses, server);
  const aggregation = await openAggregation({
    ...server,
    config: config.aggregation,
    requestHeader: config.authentication.requestHeader,
    serviceAddresses: addresses,
    groups: builtinGroups,
  });
  const rootCa = await readRootCa(config, server.certificates);
  const ofControllers = controllerMetrics(server.metrics);
  const authorization = openAuthorizationPart(config, server, environment);
  const authentication = authenticationPart(config);
  const pendingCharges = openPendingCharges(server.now, workers);
  const failedOpen = openFailedOpenPart({
    store: server.store,
    key: `${config.keyPrefix}gatehouse.dev/failed-open`,
    maxEntries: config.admission.webhookLedgerSize,
    reportFault: server.reportFault,
    workers,
  });
  await followFlowControl(server);
  const runs = (name: ControllerName): boolean => selectControllers(config.controllers).includes(name);
  const storageVersions = runs("built-in-resources-storage-version-updater")
    ? openStorageVersions(
        config,
        server.liveRegistry.current.all().map(({ definition }) => definition),
        workers,
      )
    : undefined;
  const peers =
    config.peers &&
    (await openPeers({
      ...server,
      keyPrefix: config.keyPrefix,
      // Without a registration this server could not be told from those that serve nothing.
      trust: storageVersions && config.peers.trust,
      requestHeader: config.authentication.requestHeader,
      hasRegistered: () => storageVersions?.registrations.isComplete ?? false,
    }));
  let flowControlReady = !runs("priority-and-fairness-config-producer");
  let namespacesReady = !runs("system-namespaces-controller");
  let controllersStarted = false;
  const addressSteps = addressObjects && new AddressSteps(addressObjects, runs);
  const milestones = openMilestones(workers, {
    roles: () => authorization.bootstrapRoles?.onReady(),
    namespaces: () => {
      namespacesReady = true;
    },
    controllers: () => {
      controllersStarted = true;
    },
    flowControl: () => {
      flowControlReady = true;
    },
    defaultCidr: () => addressSteps?.noteDefaultCidr(),
    addresses: () => addressSteps?.noteRepaired(),
  });
  const startAll = async (parts: HandlerParts): Promise<Closer> => {
    const { legacySigner } = await authentication(parts);
    addressObjects?.open(parts.client(), parts.signal, parts.reportFault);
    const start = (identity: string): RunningControllers => {
      const running = startControllers({
        selection: config.controllers,
        liveRegistry: parts.liveRegistry,
        builtinGroups,
        environment: parts.environment,
        pendingCharges,
        store: parts.store,
        rootCa,
        authenticationInfo: {
          clientAuthorities: parts.certificates.clientAuthorities,
          proxyAuthorities: parts.certificates.proxyAuthorities,
          requestHeader: config.authentication.requestHeader,
        },
        legacySigner,
        aggregation,
        securePort: parts.port(),
        advertised,
        config,
        election: electionOf(config, identity, logger, ofControllers),
        queueMetrics: ofControllers.queue,
        storageVersions,
        peers: peers && {
          endpoints: peers.endpoints,
          address: config.peers?.advertised ?? { host: advertised, port: parts.port() },
          isReady: () => storageVersions?.registrations.isComplete ?? true,
        },
        onRolesReady: authorization.bootstrapRoles && (() => milestones.reach("roles")),
        onFlowControlReady: () => milestones.reach("flowControl"),
        onNamespacesReady: () => milestones.reach("namespaces"),
        addressMilestones: addressSteps && {
          whenCidrsExist: addressSteps.whenCidrsExist,
          onDefaultCidr: () => addressSteps.hasDefaultCidr || milestones.reach("defaultCidr"),
          onRepaired: () => addressSteps.areRepaired || milestones.reach("addresses"),
        },
        clock: harness.onClockAdvance && { now: parts.now, onAdvance: harness.onClockAdvance },
        signal: parts.shuttingDown,
        onError: (controller, error) => parts.log.controllerFailed(controller, error),
      });
      milestones.reach("controllers");
      if (isBootstrapped) {
        for (const made of ["namespaces", "flowControl", "roles"] as const) {
          milestones.reach(made); // Their controllers will find it so.
        }
      }
      return running;
    };
    return startWhenLeading(workers, parts.shuttingDown, start);
  };
  return {
    authorizers: authorization.open,
    rbac: authorization.rbac,
    admission: admissionWith(config.admission, {
      serviceAddresses: addresses,
      failedOpen: failedOpen.note,
      beforeWebhook: harness.beforeWebhook,
      pendingCharges,
      settings: config.admission,
    }),
    async authenticators(parts) {
      const { authenticators } = await authentication(parts);
      return harness.authenticator === undefined ? authenticators : [harness.authenticator, ...authenticators];
    },
    async handlers(parts) {
      const { tokenRequests } = await authentication(parts);
      const { apiAudiences } = config.authentication;
      const nodeCalls = await openNodeCalls(config, server, parts);
      return builtinHandlers({ ...parts, tokenRequests, tokenReviews: { ...parts, apiAudiences }, nodeCalls });
    },
    async routes(parts) {
      const { issuerMetadata } = await authentication(parts);
      return [
        { routes: issuerMetadataRoutes(issuerMetadata), paths: issuerMetadataPaths },
        { routes: failedOpen.routes(parts.environment), paths: [] },
        { routes: debugFlagsRoutes({ threshold: logThreshold, workers }), paths: [] },
        ...(harness.routes === undefined ? [] : [{ routes: harness.routes, paths: [] }]),
        ...(config.servesLogs ? [{ routes: logFiles, paths: ["/logs"], documents: [logFilesDocument] }] : []),
      ];
    },
    delegation: aggregation.delegation,
    lastFilters: [storageVersions?.filter, peers?.filter].filter((filter) => filter !== undefined),
    healthChecks: async (parts) =>
      controlPlaneChecks({
        rolesReady: authorization.bootstrapRoles?.areReady,
        namespacesReady: () => namespacesReady,
        flowControlReady: () => flowControlReady,
        defaultCidrReady: addressSteps && (() => addressSteps.hasDefaultCidr),
        parts: hookParts(server, {
          ranges: () => rangesReady() && addressSteps?.areRepaired !== false,
          controllers: () => controllersStarted,
        }),
        fairness: config.requestLimits.fairness,
        hasIdentityLease: config.featureGates.enabled("APIServerIdentity"),
        hasProxyCertificate: aggregation.hasProxyCertificate,
        peers,
        storageVersionsReady: storageVersions && (() => storageVersions.registrations.isComplete),
        issuers: (await authentication(parts)).issuers,
      }),
    onServing: startAll,
  };
}
