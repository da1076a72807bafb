import { pingCheck } from "@gatehouse/component-base/health";
import {
  healthRoutes,
  metricsRoute,
  notFoundRoute,
  type RunningHttpsService,
  startHttpsService,
} from "@gatehouse/component-base/https-service";
import type { Logger } from "@gatehouse/component-base/logs";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import express from "express";
import type { AuditSinkConfig } from "../config/audit-sink-config.js";
import { openConsoleRoutes } from "../console/console-routes.js";
import type { EventIndex } from "../index-store/event-index.js";
import { ByteBudget } from "../intake/byte-budget.js";
import type { Intake } from "../intake/intake.js";
import { intakeEndpoint } from "../intake/intake-endpoint.js";
import { IntakeMetrics } from "../intake/intake-metrics.js";
import { openParties } from "../intake/parties.js";
import { queryRoutes } from "../queries/query-routes.js";
import type { SinkLog } from "../sink-log.js";

/** Parts and settings of a sink's HTTPS service. */
export interface SinkServiceOptions {
  readonly config: AuditSinkConfig;
  readonly intake: Intake;
  /** Answers readers; none when it is not configured. */
  readonly index: EventIndex | undefined;
  readonly registry: MetricsRegistry;
  readonly logger: Logger;
  readonly sinkLog: SinkLog;
}

/** Serves the intake to senders, questions and metrics to readers, and health and the console's files to anybody. */
export async function startSinkService(options: SinkServiceOptions): Promise<RunningHttpsService> {
  const { config, registry, logger, sinkLog } = options;
  const { host, port, certFile, keyFile, clientCaFile } = config.serving;
  const sendersOf = await openParties("senders", config.senders, config.anySender);
  const readersOf = await openParties("readers", config.readers, config.anyReader);
  const budget = new ByteBudget(config.intake.maxPendingBytes);
  const held = registry.gauge({
    name: "gatehouse_audit_sink_intake_pending_bytes",
    help: "Bytes of requests that are being read or made durable.",
  });
  registry.beforeScrape(() => held.labels({}).set(budget.taken));
  const consoleRoutes = await openConsoleRoutes(config.console);
  const ending = new AbortController();
  const service = await startHttpsService({
    subject: "audit sink",
    tls: { certFile, keyFile, ...(clientCaFile === undefined ? {} : { clientCaFile }) },
    host,
    port,
    requestTimeoutMs: config.intake.requestTimeoutMs,
    logger,
    listener: ({ serving, notStopping }) => {
      const senders = sendersOf(serving.identifyCaller);
      const readers = readersOf(serving.identifyCaller);
      const intake = intakeEndpoint({
        intake: options.intake,
        senders: { admitted: senders.admitted, others: readers.known, action: "send events" },
        maxBodyBytes: config.intake.maxBodyBytes,
        budget,
        log: sinkLog,
        metrics: new IntakeMetrics(registry),
      });
      const app = express();
      app.disable("x-powered-by");
      app.use(healthRoutes({ livez: [pingCheck], readyz: [pingCheck, notStopping], healthz: [pingCheck] }, logger));
      app.use(metricsRoute(registry, { admitted: readers.admitted, others: senders.known }));
      const queries = queryRoutes({
        index: options.index,
        readers: { admitted: readers.admitted, others: senders.known, action: "read events" },
        logger,
      });
      ending.signal.addEventListener("abort", () => queries[Symbol.dispose](), { once: true });
      app.use(queries.middleware);
      app.use(consoleRoutes);
      app.use(notFoundRoute);
      // Events do not go through Express: what it adds to a request is paid with each batch.
      return (request, response) => intake(request, response, () => app(request, response));
    },
  });
  return {
    port: service.port,
    stop(signal) {
      // Those who follow events would keep their connections for ever.
      ending.abort();
      return service.stop(signal);
    },
  };
}
