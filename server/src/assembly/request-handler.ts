import type { AuditRecorder } from "@gatehouse/apiserver/audit";
import { authorizationMetrics } from "@gatehouse/apiserver/authorization";
import { discoveryRoutes, version } from "@gatehouse/apiserver/discovery";
import {
  assignAuditId,
  authenticate,
  authorize,
  chain,
  enforceDeadline,
  followForAudit,
  forgoCompression,
  impersonate,
  measureRequest,
  type RequestMetrics,
  recordReceived,
  recoverFromThrow,
  resolveRequestInfo,
} from "@gatehouse/apiserver/filters";
import type { ServerLog } from "@gatehouse/apiserver/logs";
import type { Handler } from "@gatehouse/apiserver/request";
import {
  dispatch,
  dispatchResource,
  healthPaths,
  healthRoutes,
  lazyRoutes,
  metricsRoute,
} from "@gatehouse/apiserver/routes";
import type { VerbEnvironment } from "@gatehouse/apiserver/verbs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { FailedOpenPart } from "../controllers/failed-open/failed-open-part.js";
import { builtinHandlers } from "../kinds/handlers.js";
import type { ServerConfig } from "../options/server-config.js";
import { issuerMetadataPaths, issuerMetadataRoutes } from "../service-accounts/issuer-metadata-routes.js";
import type { AuthenticationPart } from "./authentication-part.js";
import type { AuthorizationPart } from "./authorization-part.js";
import { healthChecks } from "./health-checks.js";
import { servedApiSource } from "./served-api-source.js";
import type { StoragePart } from "./storage-part.js";

/** The parts that the filters and endpoints of a server share; all of them outlive the handler. */
export interface RequestHandlerParts {
  readonly config: ServerConfig;
  readonly log: ServerLog;
  readonly metrics: RequestMetrics;
  readonly registry: MetricsRegistry;
  readonly storage: StoragePart;
  readonly environment: VerbEnvironment;
  readonly authorization: AuthorizationPart;
  readonly failedOpen: FailedOpenPart;
  /** The recorder of audit events; undefined where nothing is recorded: then requests pass no filter for it. */
  readonly audit: AuditRecorder | undefined;
  readonly authentication: AuthenticationPart;
  /** Reports whether the namespaces of every cluster exist, or no controller makes them. */
  readonly namespacesReady: () => boolean;
}

/** Builds the request handler: the filters and the dispatcher behind them. */
export function buildRequestHandler(parts: RequestHandlerParts): Handler {
  const { config, log, environment, authentication } = parts;
  const { liveRegistry, store } = parts.storage;
  const servedApi = servedApiSource(liveRegistry, config.advertiseAddress ?? config.bindAddress);
  // A request travels down this list. The audit ID exists before anything can fail; what is measured includes failures;
  // the deadline includes authentication; a failed one is audited, too, and the audit policy sees who has authenticated,
  // not whom he acts for; nobody is authorized before it is known who they are.
  const filters = [
    assignAuditId,
    measureRequest(parts.metrics, log),
    recoverFromThrow(log),
    ...(config.featureGates.enabled("APIResponseCompression") ? [] : [forgoCompression]),
    resolveRequestInfo,
    ...(parts.audit === undefined ? [] : [followForAudit(parts.audit)]),
    enforceDeadline(config.requestTimeoutMs),
    authenticate(
      authentication.authenticator,
      {
        ...config.authentication,
        closesStrangers: config.featureGates.enabled("UnauthenticatedHTTP2DOSMitigation"),
      },
      log,
      authentication.metrics,
    ),
    ...(parts.audit === undefined ? [] : [recordReceived]),
    impersonate(parts.authorization.authorizer),
    authorize(parts.authorization.authorizer, authorizationMetrics(parts.registry)),
  ];
  const slis = createMetricsRegistry({ processMetrics: false });
  const rolesReady = parts.authorization.bootstrapRoles?.areReady;
  const checks = healthChecks(
    {
      store,
      stopping: environment.stopping,
      rolesReady,
      namespacesReady: parts.namespacesReady,
      issuers: authentication.issuers,
    },
    slis,
  );
  const routes = [
    healthRoutes(checks, log),
    discoveryRoutes(servedApi, {
      version,
      otherPaths: [...healthPaths(checks), "/metrics", "/metrics/slis", ...issuerMetadataPaths],
    }),
    lazyRoutes("/openapi/", async () => (await import("@gatehouse/apiserver/openapi")).openapiRoutes(servedApi)),
    metricsRoute("/metrics", parts.registry),
    issuerMetadataRoutes(authentication.issuerMetadata),
    parts.failedOpen.routes(environment),
    metricsRoute("/metrics/slis", slis),
  ];
  return chain(
    filters,
    dispatch(
      dispatchResource(
        liveRegistry,
        environment,
        builtinHandlers({
          liveRegistry,
          authorizer: parts.authorization.authorizer,
          tokenRequests: authentication.tokenRequests,
          tokenReviews: {
            authenticator: authentication.authenticator,
            apiAudiences: config.authentication.apiAudiences,
          },
          now: environment.now,
        }),
      ),
      routes,
    ),
  );
}
