import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base";
import type { AuditRecorder } from "../audit/audit-recorder.js";
import { authorizationMetrics } from "../authorization/authorization-metrics.js";
import type { ServerConfig } from "../config.js";
import { discoveryRoutes } from "../discovery/discovery-routes.js";
import { dispatch } from "../dispatch/dispatch.js";
import { dispatchResource } from "../dispatch/dispatch-resource.js";
import { healthPaths, healthRoutes } from "../dispatch/health-routes.js";
import { issuerMetadataPaths, issuerMetadataRoutes } from "../dispatch/issuer-metadata-routes.js";
import { lazyRoutes } from "../dispatch/lazy-routes.js";
import { metricsRoute } from "../dispatch/metrics-route.js";
import type { FailedOpenPart } from "../failed-open/failed-open-part.js";
import { builtinHandlers } from "../kinds/handlers.js";
import type { Handler } from "../request/handler.js";
import type { RequestMetrics } from "../request-metrics.js";
import type { ServerLog } from "../server-log.js";
import { assignAuditId } from "../stages/assign-audit-id.js";
import { authenticate } from "../stages/authenticate.js";
import { authorize } from "../stages/authorize.js";
import { enforceDeadline } from "../stages/enforce-deadline.js";
import { followForAudit } from "../stages/follow-for-audit.js";
import { forgoCompression } from "../stages/forgo-compression.js";
import { impersonate } from "../stages/impersonate.js";
import { measureRequest } from "../stages/measure-request.js";
import { recordReceived } from "../stages/record-received.js";
import { recoverFromThrow } from "../stages/recover-from-throw.js";
import { resolveRequestInfo } from "../stages/resolve-request-info.js";
import { chain } from "../stages/stage.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { version } from "../version.js";
import type { AuthenticationPart } from "./authentication-part.js";
import type { AuthorizationPart } from "./authorization-part.js";
import { healthChecks } from "./health-checks.js";
import { servedApiSource } from "./served-api-source.js";
import type { StoragePart } from "./storage-part.js";

/** The parts that the stages and endpoints of a server share; all of them outlive the handler. */
export interface RequestHandlerParts {
  readonly config: ServerConfig;
  readonly log: ServerLog;
  readonly metrics: RequestMetrics;
  readonly registry: MetricsRegistry;
  readonly storage: StoragePart;
  readonly environment: VerbEnvironment;
  readonly authorization: AuthorizationPart;
  readonly failedOpen: FailedOpenPart;
  /** The recorder of audit events; undefined where nothing is recorded: then requests pass no stage for it. */
  readonly audit: AuditRecorder | undefined;
  readonly authentication: AuthenticationPart;
  /** Reports whether the namespaces of every cluster exist, or no controller makes them. */
  readonly namespacesReady: () => boolean;
}

/** Builds the request handler: the stages and the dispatcher behind them. */
export function buildRequestHandler(parts: RequestHandlerParts): Handler {
  const { config, log, environment, authentication } = parts;
  const { catalogues, store } = parts.storage;
  const servedApi = servedApiSource(catalogues, config.advertiseAddress ?? config.bindAddress);
  // A request travels down this list. The audit ID exists before anything can fail; what is measured includes failures;
  // the deadline includes authentication; a failed one is audited, too, and the audit policy sees who has authenticated,
  // not whom he acts for; nobody is authorized before it is known who they are.
  const stages = [
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
    lazyRoutes("/openapi/", async () => (await import("../openapi/openapi-routes.js")).openapiRoutes(servedApi)),
    metricsRoute("/metrics", parts.registry),
    issuerMetadataRoutes(authentication.issuerMetadata),
    parts.failedOpen.routes(environment),
    metricsRoute("/metrics/slis", slis),
  ];
  return chain(
    stages,
    dispatch(
      dispatchResource(
        catalogues,
        environment,
        builtinHandlers({
          catalogues,
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
