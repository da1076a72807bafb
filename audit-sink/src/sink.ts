import { basename } from "node:path";
import { ConfigurationError, DirectoryInUseError } from "@gatehouse/component-base/errors";
import type { Logger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { problemAt } from "@gatehouse/component-base/problems";
import { Completeness } from "./completeness/completeness.js";
import { sinkBatch } from "./completeness/sink-events.js";
import type { AuditSinkConfig } from "./config/audit-sink-config.js";
import { openEventIndex } from "./index-store/open-event-index.js";
import { DuplicateFilter } from "./intake/duplicate-filter.js";
import { Intake } from "./intake/intake.js";
import { type AuditLog, openAuditLog } from "./log/audit-log.js";
import { applyRetention } from "./log/retention.js";
import { openOutput } from "./outputs/open-output.js";
import { Pipeline } from "./pipelines/pipeline.js";
import { PipelinesMetrics } from "./pipelines/pipeline-metrics.js";
import { recallEvents } from "./recall-events.js";
import { startSinkService } from "./service/sink-service.js";
import { SinkLog } from "./sink-log.js";
import { Upkeep } from "./upkeep.js";

/** A sink that takes events in and delivers them. */
export interface RunningSink {
  readonly port: number;
  /** The parts that hold something, in the order in which they were started; to be drained in the reverse order. */
  readonly parts: readonly SinkPart[];
}

/** A part of a sink that has something to finish. */
export interface SinkPart {
  readonly name: string;
  drain(signal: AbortSignal): Promise<void>;
}

/**
 * Starts a sink: the log, pipelines, the index, upkeep, and the service. What it must remember is read meanwhile; senders
 * who come before that is done wait for it. Rejects with ConfigurationError when something that is configured cannot be used.
 */
export async function startSink(config: AuditSinkConfig, logger: Logger): Promise<RunningSink> {
  const sinkLog = new SinkLog(logger);
  const registry = createMetricsRegistry({ processMetrics: true });
  const parts: SinkPart[] = [];
  try {
    const log = await openLog(config, logger);
    parts.push({ name: "log", drain: () => log[Symbol.asyncDispose]() });
    reportDamage(log, sinkLog);
    const completeness = await Completeness.open({
      directory: config.log.directory,
      gapAfterMs: config.gapAfterMs,
      append: (batch) => log.append(batch),
      sinkLog,
      registry,
    });
    const duplicates = new DuplicateFilter(config.intake.duplicateWindow);
    const recalled = recallEvents({ log, duplicates, completeness, window: config.intake.duplicateWindow, sinkLog });
    // Awaited below, and by whoever needs it; if the start fails before, its own failure is of no interest.
    recalled.catch(() => undefined);
    const pipelines = await startPipelines(config, log, registry, sinkLog, parts);
    const index =
      config.index === undefined ? undefined : await openEventIndex({ config: config.index, log, registry, logger });
    if (index !== undefined) {
      parts.push({ name: "index", drain: () => index[Symbol.asyncDispose]() });
    }
    const readers = [...pipelines, ...(index === undefined ? [] : [index])];
    const upkeep = new Upkeep({
      sinkLog,
      // The second frees space, which the first may lack.
      tasks: [
        () => recalled.then(() => completeness.look(log.endPosition)),
        () => recalled.then(() => deleteOldSegments(config, log, readers, sinkLog)),
      ],
    });
    parts.push({ name: "upkeep", drain: () => upkeep.stop() });
    const intake = new Intake({
      log,
      duplicates,
      recalled,
      sequences: completeness.sources,
      maxEventBytes: config.intake.maxEventBytes,
    });
    registerLogMetrics(registry, log);
    const service = await startSinkService({ config, intake, index, registry, logger, sinkLog });
    parts.push({ name: "service", drain: (signal) => service.stop(signal) });
    await recalled;
    return { port: service.port, parts };
  } catch (error) {
    await stopParts(parts, AbortSignal.abort());
    throw error;
  }
}

async function openLog(config: AuditSinkConfig, logger: Logger): Promise<AuditLog> {
  try {
    return await openAuditLog({ ...config.log, segmentAgeMs: segmentAgeOf(config), logger });
  } catch (error) {
    const isInUse = error instanceof DirectoryInUseError;
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    if (!isInUse && code === undefined) {
      throw error;
    }
    const text = isInUse ? "is in use by another process" : `cannot be used (${code})`;
    throw new ConfigurationError("configuration", [problemAt("log.directory", `${config.log.directory} ${text}`)]);
  }
}

/** Reports damaged positions as events; the log of the process has them already. */
function reportDamage(log: AuditLog, sinkLog: SinkLog): void {
  if (log.damages.length > 0) {
    const findings = log.damages.map(({ path, position, endPosition }) => {
      const range = { first: position, last: Math.max(position, endPosition - 1) };
      return [{ verb: "damage" as const, file: basename(path) }, range] as const;
    });
    log.append(sinkBatch(findings)).catch((error: Error) => sinkLog.upkeepFailed(error));
  }
}

/** Events may be kept for longer than asked by the age of a segment: no more than a quarter of that, and no more than a day. */
function segmentAgeOf({ log }: AuditSinkConfig): number {
  return Math.min(24 * 3600 * 1000, log.retention.maxAgeMs / 4);
}

/** Drains the parts of a sink in the reverse order of their start. */
export async function stopParts(parts: readonly SinkPart[], signal: AbortSignal): Promise<void> {
  for (const part of [...parts].reverse()) {
    await part.drain(signal);
  }
}

async function startPipelines(
  config: AuditSinkConfig,
  log: AuditLog,
  registry: MetricsRegistry,
  sinkLog: SinkLog,
  parts: SinkPart[],
): Promise<readonly Pipeline[]> {
  const metrics = new PipelinesMetrics(registry);
  const pipelines: Pipeline[] = [];
  for (const each of config.pipelines) {
    const pipeline = await Pipeline.start({
      config: each,
      log,
      openOutput: (context) => openOutput(each.output, context),
      metrics: metrics.of(each.name),
      sinkLog,
      onDropped(first, last) {
        log
          .append(
            sinkBatch([
              [
                { verb: "drop", pipeline: each.name },
                { first, last },
              ],
            ]),
          )
          .catch((error: Error) => {
            sinkLog.upkeepFailed(error);
          });
      },
    });
    pipelines.push(pipeline);
    parts.push({ name: `pipeline ${each.name}`, drain: (signal) => pipeline.stop(signal) });
  }
  return pipelines;
}

/** Deletes what the configuration lets go of the log, now that its readers have come so far. */
async function deleteOldSegments(
  config: AuditSinkConfig,
  log: AuditLog,
  readers: readonly { readonly savedPosition: number | undefined }[],
  sinkLog: SinkLog,
): Promise<void> {
  const saved = readers.flatMap(({ savedPosition }) => savedPosition ?? []);
  const { segments, events } = await applyRetention(log, config.log, Math.min(log.endPosition, ...saved));
  if (segments > 0) {
    sinkLog.segmentsDeleted(events, segments);
  }
}

function registerLogMetrics(registry: MetricsRegistry, log: AuditLog): void {
  const bytes = registry.gauge({ name: "gatehouse_audit_sink_log_bytes", help: "Bytes of the log on disk." });
  const first = registry.gauge({
    name: "gatehouse_audit_sink_log_first_position",
    help: "Position of the oldest event that is kept.",
  });
  const end = registry.gauge({
    name: "gatehouse_audit_sink_log_end_position",
    help: "Position after the last durable event.",
  });
  const damaged = registry.gauge({
    name: "gatehouse_audit_sink_log_damaged_events",
    help: "Acknowledged events that were found damaged or missing when the log was opened.",
  });
  damaged.labels({}).set(log.damages.reduce((sum, { position, endPosition }) => sum + endPosition - position, 0));
  registry.beforeScrape(() => {
    bytes.labels({}).set(log.bytes);
    first.labels({}).set(log.firstPosition);
    end.labels({}).set(log.endPosition);
  });
}
