import type { HealthChecks } from "@gatehouse/component-base/health";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { compilePattern } from "@gatehouse/policies/patterns";
import type { AuditRecorder } from "../audit/audit-recorder.js";
import type { RequestHeaderOptions } from "../authentication/request-header.js";
import { authorizationMetrics } from "../authorization/authorization-metrics.js";
import type { Delegation } from "../delegation/delegation.js";
import { aggregationCounter } from "../discovery/discovery-metrics.js";
import { discoveryRoutes } from "../discovery/discovery-routes.js";
import type { ServedApi } from "../discovery/served-api.js";
import { version } from "../discovery/version.js";
import { allowOrigins } from "../filters/allow-origins.js";
import { assignAuditId } from "../filters/assign-audit-id.js";
import { authenticate } from "../filters/authenticate.js";
import { authorize } from "../filters/authorize.js";
import { demandHttps } from "../filters/demand-https.js";
import { enforceDeadline } from "../filters/enforce-deadline.js";
import { chain, type Filter } from "../filters/filter.js";
import { filterMetrics, markFilter } from "../filters/filter-metrics.js";
import { followForAudit } from "../filters/follow-for-audit.js";
import { forgoCompression } from "../filters/forgo-compression.js";
import { impersonate } from "../filters/impersonate.js";
import { measureRequest } from "../filters/measure-request.js";
import { recordReceived } from "../filters/record-received.js";
import { recoverFromThrow } from "../filters/recover-from-throw.js";
import type { RequestsUnderWay } from "../filters/refuse-when-stopping.js";
import type { RequestMetrics } from "../filters/request-metrics.js";
import { resolveRequestInfo } from "../filters/resolve-request-info.js";
import { sendGoaway } from "../filters/send-goaway.js";
import { tellTime } from "../filters/tell-time.js";
import { type BeginTrace, traceRequest, traceVerb } from "../filters/trace-request.js";
import type { ApiDocument } from "../openapi/api-documents.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { dispatch, type Routes } from "../routes/dispatch.js";
import { dispatchResource } from "../routes/dispatch-resource.js";
import { flowControlRoutes } from "../routes/flow-control-routes.js";
import { healthPaths, healthRoutes } from "../routes/health-routes.js";
import { lazyRoutes } from "../routes/lazy-routes.js";
import { metricsRoute } from "../routes/metrics-route.js";
import type { HandlersOfKinds } from "../verbs/verb-handler.js";
import { healthChecks, type OwnHealthChecks, type StoreCheckTimeouts } from "./health-checks.js";
import type { ProcessGroup } from "./process-group.js";
import { type GroupOrder, servedApiSource } from "./served-api-source.js";
import type { HandlerParts } from "./server-parts.js";

/** Routes beside resources, discovery, OpenAPI, health and metrics. */
export interface FurtherRoutes {
  readonly routes: Routes;
  /** The paths that the document of `/` lists. */
  readonly paths: readonly string[];
  /** OpenAPI documents of the routes. */
  readonly documents?: readonly ApiDocument[];
}

/** The parts that the filters and endpoints of a server share; all of them outlive the handler. */
export interface RequestHandlerParts extends HandlerParts {
  readonly requestMetrics: RequestMetrics;
  /** The recorder of audit events; undefined where nothing is recorded: then requests pass no filter for it. */
  readonly audit: AuditRecorder | undefined;
  readonly groups: readonly GroupOrder[];
  readonly handlers: HandlersOfKinds;
  readonly further: readonly FurtherRoutes[];
  readonly delegation: Delegation | undefined;
  readonly ownChecks: OwnHealthChecks;
  readonly processes: ProcessGroup | undefined;
  /** Begins the traces of requests; undefined where none is traced. */
  readonly beginTrace: BeginTrace | undefined;
  /** The filter in front of all others; undefined for none. */
  readonly outerFilter: Filter | undefined;
  /** The filter behind the one that finds out whom the user acts for; undefined for none. */
  readonly innerFilter: Filter | undefined;
  /** The filters behind the one that authorizes, in front of all that is served. */
  readonly lastFilters: readonly Filter[];
  /** True if profiles are served. */
  readonly profiling: boolean;
  readonly storeTimeouts: StoreCheckTimeouts | undefined;
  readonly apiAudiences: readonly string[];
  readonly requestHeader: RequestHeaderOptions | undefined;
  readonly requestTimeoutMs: number;
  readonly goawayChance: number;
  /** The filter by which requests wait for others, or are too many. */
  readonly limitRequests: Filter;
  /** Returns the address, with its port, at which discovery says that the server is; called when requests are served. */
  readonly discoveryAddress: () => string;
  /** The requests under way, where new ones are answered with 429 when the server stops. */
  readonly requests: RequestsUnderWay | undefined;
  /** The time in milliseconds after the start in which `/livez` answers well. */
  readonly livezGraceMs: number;
  /** Patterns of the origins whose scripts may read answers. */
  readonly allowedOrigins: readonly string[];
  /** The title and version of OpenAPI documents; undefined for those of Kubernetes. */
  readonly apiInfo: { readonly title: string; readonly version: string } | undefined;
  /** The directives of `Strict-Transport-Security`; empty where the header is not sent. */
  readonly transportSecurity: readonly string[];
}

/** The request handler of a server, and the health checks that it answers with. */
export interface BuiltRequestHandler {
  readonly handler: Handler;
  readonly checks: HealthChecks;
}

async function openapiRoutesOf(
  api: () => ServedApi,
  { features, delegation, liveRegistry, apiInfo, further }: RequestHandlerParts,
): Promise<Routes> {
  const { OpenApiSource, openapiRoutes, withTypedKinds } = await import("../openapi/index.js");
  const typedKinds = [...liveRegistry.current.all()].flatMap(({ definition: { typedSchemas } }) =>
    typedSchemas === undefined ? [] : [typedSchemas.kind, typedSchemas.list],
  );
  return openapiRoutes(api, {
    source: new OpenApiSource({
      writesEnums: features.enabled("OpenAPIEnums"),
      further: further.flatMap(({ documents = [] }) => documents),
      ...(apiInfo && { info: apiInfo }),
      ...(typedKinds.length > 0 && { schemas: withTypedKinds(typedKinds) }),
    }),
    ...(delegation && { foreign: (id: string) => delegation.documentHandlerOf(id) }),
  });
}

/** Builds the request handler: the filters and the dispatcher behind them. */
export function buildRequestHandler(parts: RequestHandlerParts): BuiltRequestHandler {
  const { log, environment, features, liveRegistry, audit, authorizer, allowedOrigins, transportSecurity, requests } =
    parts;
  const { delegation } = parts;
  const ownApi = servedApiSource(liveRegistry, parts.groups, parts.discoveryAddress, {
    storageVersionHash: features.enabled("StorageVersionHash"),
  });
  const servedApi = delegation === undefined ? ownApi : () => delegation.withDelegated(ownApi());
  const ofFilters = filterMetrics(parts.metrics);
  const deadlineMetrics = {
    postTimeout: ofFilters.postTimeout,
    timedOut: (context: RequestContext) => parts.terminations.timedOut(context),
  };
  // A request travels down this list. The audit ID exists before anything can fail; what is measured includes failures;
  // the deadline includes authentication; a failed one is audited, too, and the audit policy sees who has authenticated,
  // not whom he acts for; nobody is authorized before it is known who they are.
  const filters = [
    ...(parts.outerFilter === undefined ? [] : [parts.outerFilter]),
    ...(environment.now === Date.now ? [] : [tellTime(environment.now)]),
    assignAuditId,
    measureRequest(parts.requestMetrics, ofFilters, log),
    recoverFromThrow(log),
    ...(requests === undefined ? [] : [requests.refuse]),
    ...(features.enabled("APIResponseCompression") ? [] : [forgoCompression]),
    ...(transportSecurity.length === 0 ? [] : [demandHttps(transportSecurity)]),
    resolveRequestInfo,
    ...(requests === undefined ? [] : [requests.count]),
    ...(parts.beginTrace === undefined ? [] : [traceRequest(parts.beginTrace)]),
    ...(audit === undefined ? [] : [followForAudit(audit)]),
    ...(parts.goawayChance > 0 ? [sendGoaway(parts.goawayChance)] : []),
    enforceDeadline(parts.requestTimeoutMs, deadlineMetrics, (path) => delegation?.handlerOf(path) !== undefined),
    ...(allowedOrigins.length === 0 ? [] : [allowOrigins(allowedOrigins.map(compilePattern))]),
    authenticate(
      parts.authenticator,
      {
        apiAudiences: parts.apiAudiences,
        requestHeader: parts.requestHeader,
        closesStrangers: features.enabled("UnauthenticatedHTTP2DOSMitigation"),
      },
      log,
      parts.authenticationMetrics,
      ofFilters,
    ),
    ...(audit === undefined ? [] : [recordReceived, markFilter(ofFilters.audit)]),
    impersonate(authorizer),
    markFilter(ofFilters.impersonation),
    ...(parts.innerFilter === undefined ? [] : [parts.innerFilter]),
    parts.limitRequests,
    markFilter(ofFilters.priorityAndFairness),
    authorize(authorizer, authorizationMetrics(parts.metrics), ofFilters),
    ...parts.lastFilters,
    ...(parts.beginTrace === undefined ? [] : [traceVerb]),
  ];
  const slis = createMetricsRegistry({ processMetrics: false });
  const { store, storages, storeTimeouts, shuttingDown, livezGraceMs } = parts;
  const sources = { store, storages, storeTimeouts, shuttingDown, livezGraceMs, ...parts.ownChecks };
  const checks = healthChecks(sources, slis);
  const metricsOf = (path: string, registry: MetricsRegistry): Routes => {
    const own = (): Promise<string> => registry.render();
    return metricsRoute(path, parts.processes?.renderAll(path, own) ?? own);
  };
  const routes = [
    healthRoutes(checks, log),
    discoveryRoutes(servedApi, {
      version,
      otherPaths: [...healthPaths(checks), "/metrics", "/metrics/slis", ...parts.further.flatMap(({ paths }) => paths)],
      isAggregated: features.enabled("AggregatedDiscoveryEndpoint"),
      onAggregated: aggregationCounter(parts.metrics),
    }),
    lazyRoutes("/openapi/", async () => openapiRoutesOf(servedApi, parts)),
    metricsOf("/metrics", parts.metrics),
    ...parts.further.map(({ routes: own }) => own),
    ...(parts.flowControl === undefined ? [] : [flowControlRoutes(parts.flowControl)]),
    metricsOf("/metrics/slis", slis),
    ...(parts.profiling
      ? [lazyRoutes("/debug/pprof", async () => (await import("../profiling/index.js")).profilingRoutes)]
      : []),
  ];
  const resources = dispatchResource(liveRegistry, environment, parts.handlers);
  const handler = chain(filters, dispatch(resources, routes, delegation?.handlerOf.bind(delegation)));
  return { handler, checks };
}
