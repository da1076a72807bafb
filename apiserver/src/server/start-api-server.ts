import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isUnspecified } from "@gatehouse/component-base/addresses";
import type { HealthCheck } from "@gatehouse/component-base/health";
import { silentLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { groupResourceText } from "@gatehouse/envelopes/status";
import { RbacIndex } from "@gatehouse/policies/rbac";
import { authenticationMetrics } from "../authentication/authentication-metrics.js";
import { requestAuthenticator } from "../authentication/request-authenticator.js";
import { mastersGroup, privilegedGroups } from "../authorization/privileged-groups.js";
import { unionAuthorizer } from "../authorization/union-authorizer.js";
import { InProcessObjectClient } from "../client/in-process-object-client.js";
import type { ObjectClient } from "../client/object-client.js";
import { RequestMetrics } from "../filters/request-metrics.js";
import { RequestTerminations } from "../filters/request-terminations.js";
import type { BeginTrace } from "../filters/trace-request.js";
import { type Listener, listen } from "../http/listener.js";
import { ServerLog } from "../logs/server-log.js";
import { defaultFeatureGates } from "../options/feature-gates.js";
import { hostAndPort } from "../options/host-and-port.js";
import type { RegistrySource } from "../registry/live-registry.js";
import { followRestClients } from "../request/rest-client-metrics.js";
import { defaultingOfGroups, handlersOfGroups } from "../resources/api-group.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import type { ApiServerOptions } from "./api-server-options.js";
import { askAuthorizer } from "./ask-authorizer.js";
import { objectAccess } from "./cached-object-access.js";
import { Closers } from "./closers.js";
import { registerComponentMetrics } from "./component-metrics.js";
import { verbEnvironment } from "./create-verb-environment.js";
import { followObjects } from "./follow-objects.js";
import { openAdmission } from "./open-admission.js";
import { openAudit } from "./open-audit.js";
import { openRequestLimits } from "./open-request-limits.js";
import { openStorage } from "./open-storage.js";
import { buildRequestHandler } from "./request-handler.js";
import { objectInterfaces } from "./served-object-interfaces.js";
import { resolveGiven, type ServerParts } from "./server-parts.js";
import { openServingCertificates } from "./serving-certificates.js";
import { Shutdown } from "./shutdown.js";

/** A running API server. To dispose of it is to stop it: watches end, requests may finish, then the store is closed. */
export interface ApiServer extends AsyncDisposable {
  /** The URL of the server: `https://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** The authority that verifies the server, as PEM. */
  readonly certificateAuthority: string;
  /** A client of any object in this process, for which every request is allowed. */
  readonly client: ObjectClient;
  /** Reports whether every check behind `/readyz` succeeds now. */
  isReady(): Promise<boolean>;
}

/** An API server that is being started. */
export interface StartingApiServer {
  /** Resolves when requests are served. Rejects when the start has failed; then, too, `stop` must be called. */
  readonly serving: Promise<Omit<ApiServer, keyof AsyncDisposable>>;
  /**
   * Ends watches, lets requests finish, waits for controllers, closes the store. To be called when `serving` has settled.
   * Rejects when something cannot be closed.
   */
  stop(): Promise<void>;
}

/**
 * Starts an API server for the groups that are handed in. Resolves when requests are served. Rejects with a
 * ConfigurationError for options that cannot be used, when everything is closed again.
 *
 * @example
 * ```ts
 * await using server = await startApiServer({
 *   groups: [{ name: "shop.example.com", versions: ["v1"], resources: [shirts] }],
 *   authenticators: [bearerTokenAuthenticator(staticTokens(users))],
 *   authorizers: [alwaysAllow],
 * });
 * await server.client.create({ group: "shop.example.com", resource: "shirts" }, shirt);
 * ```
 */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const starting = beginApiServer(options);
  const stop = (): Promise<void> => starting.stop();
  try {
    return { ...(await starting.serving), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Begins to start an API server; for programs that tell of a failed start before everything is closed again. */
export function beginApiServer(options: ApiServerOptions): StartingApiServer {
  const shutdown = new Shutdown({
    delayMs: 0,
    sendRetryAfter: false,
    watchGraceMs: 0,
    graceMs: options.shutdownGraceMs ?? defaultShutdownGraceMs,
    ...options.shutdown,
  });
  // Every part of the server may listen to them.
  setMaxListeners(0, shutdown.begun, shutdown.stopping);
  const closers = new Closers();
  return {
    serving: assemble(options, shutdown, closers),
    async stop() {
      await shutdown.run();
      await closers[Symbol.asyncDispose]();
    },
  };
}

const defaultRequestTimeoutMs = 60_000;
const defaultShutdownGraceMs = 10_000;

/** Assembles the server from parts that add to `closers` what must be closed. */
async function assemble(
  options: ApiServerOptions,
  shutdown: Shutdown,
  closers: Closers,
): Promise<Omit<ApiServer, keyof AsyncDisposable>> {
  const { logger = silentLogger, features = defaultFeatureGates(), apiAudiences = [], requestHeader } = options;
  const { bindAddress = "127.0.0.1", fieldManager = "apiserver" } = options;
  const { begun: shuttingDown, stopping: signal, watchEnds, requests } = shutdown;
  const { shutdownGraceMs = defaultShutdownGraceMs, requestTimeoutMs = defaultRequestTimeoutMs } = options;
  // 1. The parts that exist before anything is decided: certificates, the store, and what is served from it.
  const log = new ServerLog(logger);
  const reportFault = (error: unknown): void => log.fault(error);
  const directory = options.directory ?? (await temporaryFolder(closers));
  const certificates = await openServingCertificates(
    {
      directory: join(directory, "certificates"),
      commonName: "apiserver",
      dnsNames: [],
      ipAddresses: isIP(bindAddress) === 0 ? [] : [bindAddress],
      ...options.certificates,
    },
    log,
    logger,
  );
  closers.use(certificates.reloading);
  if (certificates.named !== undefined) {
    closers.use(certificates.named);
  }
  const defaulting = createDefaulting({ ...defaultingOfGroups(options.groups), ...options.defaultingFunctions });
  const metrics = createMetricsRegistry({ processMetrics: true, policy: options.metricsPolicy });
  const requestMetrics = new RequestMetrics(metrics);
  registerComponentMetrics(metrics, features);
  closers.use(followRestClients(metrics));
  const { encryptionChecks, ...storage } = await openStorage(options, { directory, log, metrics, closers, defaulting });
  const { liveRegistry } = storage;
  if (options.countsObjects !== false) {
    metrics.beforeScrape(() => countObjects(liveRegistry, requestMetrics));
  }
  const terminations = new RequestTerminations({
    registry: metrics,
    requestMetrics,
    isServed: ({ group, version, resource, subresource }) => {
      const definition = liveRegistry.current.find(group, version, resource)?.definition;
      return definition !== undefined && ["", ...definition.subresources.map(({ name }) => name)].includes(subresource);
    },
  });
  const requestLimits = openRequestLimits(options.requestLimits, {
    registry: metrics,
    terminations,
    liveRegistry,
    features,
    requestTimeoutMs,
    closers,
  });
  let environment: VerbEnvironment | undefined;
  let listener: Listener | undefined;
  const client = (): ObjectClient =>
    new InProcessObjectClient(liveRegistry, started(environment), signal, fieldManager);
  const objects = objectAccess(liveRegistry, client);
  const server: ServerParts = {
    ...storage,
    objects,
    objectSource: followObjects(liveRegistry, signal, reportFault),
    client,
    certificates,
    port: () => started(listener).port,
    features,
    flowControl: requestLimits.flowControl,
    areRequestCountsSound: requestLimits.areCountsSound,
    metrics,
    terminations,
    log,
    reportFault,
    now: options.now ?? Date.now,
    shuttingDown,
    signal,
    watchEnds,
    closers,
  };
  // 2. The parts that record and decide, which may read objects by now.
  const extensions = { ...options, ...(await options.extend?.(server)) };
  const { processes } = options;
  const auditParts = { registry: metrics, log, closingMs: shutdownGraceMs, closers, processes };
  const audit = await openAudit(options.audit, auditParts);
  const authorizers = (await resolveGiven(extensions.authorizers, server)) ?? [];
  const authorizer = unionAuthorizer([privilegedGroups([mastersGroup]), ...authorizers]);
  const mayDo = askAuthorizer(authorizer);
  const admission = await openAdmission((await resolveGiven(extensions.admission, server)) ?? { plugins: [] }, {
    ...server,
    forms: objectInterfaces({ liveRegistry, defaulting, features }),
    authorizer,
    mayDo,
  });
  await objects.ready();
  const privileges = { mayDo, rbac: extensions.rbac ?? (async () => new RbacIndex()), objects };
  // 3. The verbs: from here on objects can be written in this process.
  environment = verbEnvironment(options.settings ?? {}, {
    server,
    admission,
    privileges,
    defaulting,
    metrics: requestMetrics,
    audit,
  });
  // 4. The handler of requests, and the port.
  const authenticatorParts = { ...server, authenticationMetrics: authenticationMetrics(metrics) };
  const authenticator = requestAuthenticator({
    authenticators: (await resolveGiven(extensions.authenticators, authenticatorParts)) ?? [],
    anonymousAllowed: options.anonymousAuth ?? false,
    apiAudiences,
  });
  const parts = { ...authenticatorParts, authorizer, authenticator, environment };
  const handlers = await resolveGiven(extensions.handlers, parts);
  const ownChecks = (await resolveGiven(extensions.healthChecks, parts)) ?? {};
  const { handler, checks } = buildRequestHandler({
    ...parts,
    requestMetrics,
    audit,
    groups: options.groups,
    handlers: new Map([...handlersOfGroups(options.groups), ...(handlers ?? [])]),
    delegation: await resolveGiven(extensions.delegation, parts),
    further: (await resolveGiven(extensions.routes, parts)) ?? [],
    ownChecks: {
      ...ownChecks,
      startup: [...encryptionChecks.startupChecks, ...(ownChecks.startup ?? [])],
      storage: encryptionChecks.healthChecks,
    },
    storeTimeouts: options.storeTimeouts,
    apiAudiences,
    requestHeader,
    processes,
    profiling: options.profiling ?? false,
    outerFilter: options.outerFilter,
    innerFilter: options.innerFilter,
    lastFilters: (await resolveGiven(extensions.lastFilters, parts)) ?? [],
    beginTrace: await openTraces(options, closers),
    requestTimeoutMs,
    goawayChance: options.goawayChance ?? 0,
    limitRequests: requestLimits.filter,
    discoveryAddress: () =>
      hostAndPort(options.externalHost ?? options.advertiseAddress ?? bindAddress, started(listener).port),
    requests,
    livezGraceMs: options.livezGraceMs ?? 0,
    allowedOrigins: options.allowedOrigins ?? [],
    transportSecurity: options.transportSecurity ?? [],
    apiInfo: options.apiInfo,
  });
  listener = await listen({
    host: bindAddress,
    port: options.port ?? 0,
    secureContext: certificates.reloading.options,
    contextFor: certificates.named?.contextFor,
    sharesPort: options.sharesPort,
    requestClientCertificate:
      options.certificates?.clientCaFile !== undefined ||
      options.certificates?.proxyCaFile !== undefined ||
      options.certificates?.asksClients === true,
    http2MaxStreamsPerConnection: options.http2MaxStreamsPerConnection ?? 0,
    handler,
    onError: reportFault,
    onHandshakeError: handshakeErrors(metrics),
    connections: processes?.connections ?? options.connections,
  });
  if (options.debugSocketPath !== undefined) {
    const { openDebugSocket } = await import("../profiling/index.js");
    closers.use(await openDebugSocket(options.debugSocketPath));
  }
  const { port } = listener;
  shutdown.closePort = listener.close.bind(listener);
  certificates.reloading.attach(listener.server);
  // 5. Controllers, which start when requests are served.
  const controllersEnded = await extensions.onServing?.(parts);
  if (controllersEnded !== undefined) {
    closers.add(controllersEnded);
  }
  shutdown.isServing = true;
  if (processes === undefined) {
    log.listening(bindAddress, port, performance.now());
  }
  return {
    // The address by which clients on this machine reach the server.
    url: `https://${hostAndPort(isUnspecified(bindAddress) ? "127.0.0.1" : bindAddress, port)}`,
    port,
    certificateAuthority: certificates.authority,
    client: client(),
    isReady: () => allSucceed(checks.readyz),
  };
}

/** Opens tracing, if it is configured: its code is loaded for such servers alone. */
async function openTraces(
  { tracingConfigFile }: Pick<ApiServerOptions, "tracingConfigFile">,
  closers: Closers,
): Promise<BeginTrace | undefined> {
  if (tracingConfigFile === undefined) {
    return undefined;
  }
  const { openTracing, readTracingConfiguration } = await import("../tracing/index.js");
  const configuration = await readTracingConfiguration(tracingConfigFile);
  return closers.use(openTracing(configuration, { name: "apiserver", instance: randomUUID() })).begin;
}

/** Returns a function that counts a failed handshake, under v1.29's name. */
function handshakeErrors(registry: MetricsRegistry): () => void {
  const errors = registry
    .counter({ name: "apiserver_tls_handshake_errors_total", help: "TLS handshakes that have failed." })
    .labels({});
  return () => errors.inc();
}

/** Makes a folder of its own for a server, which is removed when everything in it is closed. */
async function temporaryFolder(closers: Closers): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "apiserver-"));
  closers.add(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Returns a part of the server that exists only when it has started. */
function started<T>(part: T | undefined): T {
  if (part === undefined) {
    throw new Error("the server has not started yet");
  }
  return part;
}

async function allSucceed(checks: readonly HealthCheck[]): Promise<boolean> {
  try {
    for (const { check } of checks) {
      await check();
    }
    return true;
  } catch {
    return false;
  }
}

function countObjects(liveRegistry: RegistrySource, metrics: RequestMetrics): void {
  for (const served of liveRegistry.current.stored()) {
    const { cache, prefix } = served.storage;
    metrics.storageObjects(groupResourceText(served), cache.snapshot().count(prefix));
  }
}
