import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { DirectoryInUseError, type FollowedFiles, followFiles, standardOutput } from "@gatehouse/component-base/files";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { type CompiledAuditPolicy, compileAuditPolicy, parseAuditPolicy } from "@gatehouse/policies/audit";
import type { AuditBackend, AuditLosses } from "../audit/audit-backend.js";
import { AuditMetrics } from "../audit/audit-metrics.js";
import { AuditRecorder } from "../audit/audit-recorder.js";
import { BufferedBackend } from "../audit/buffered-backend.js";
import { GroupWriter, type LineTarget } from "../audit/group-writer.js";
import { IgnoreErrorsBackend } from "../audit/ignore-errors-backend.js";
import { legacyLine } from "../audit/legacy-format.js";
import { LogBackend } from "../audit/log-backend.js";
import { LossReport } from "../audit/loss-report.js";
import { RotatingFile } from "../audit/rotating-file.js";
import { SpoolingBackend, type SpoolOptions } from "../audit/spool/spooling-backend.js";
import { TruncatingBackend } from "../audit/truncating-backend.js";
import { UnionBackend } from "../audit/union-backend.js";
import { WebhookBackend } from "../audit/webhook-backend.js";
import { WebhookCaller } from "../audit/webhook-caller.js";
import { isLongRunning } from "../filters/enforce-deadline.js";
import type { ServerLog } from "../logs/server-log.js";
import type { AuditConfig, AuditDestinationConfig, AuditLogConfig, AuditWebhookConfig } from "../options/audit.js";
import type { Closers } from "./closers.js";

/**
 * Interval in milliseconds between flushes of the spool in batch mode: requests wait for the write to its file, but not
 * for the disk.
 */
const spoolFlushMs = 1_000;

/** Interval in milliseconds between checks of the policy file. */
const policyPollMs = 1_000;

/** The dependencies of auditing. */
export interface AuditParts {
  readonly registry: MetricsRegistry;
  readonly log: ServerLog;
  /** Milliseconds for the delivery of events when the server stops. */
  readonly closingMs: number;
  readonly closers: Closers;
}

/**
 * Reads the policy and opens the destinations of events. Undefined where nothing is recorded. Throws ConfigurationError
 * when the policy, or a destination, cannot be used.
 */
export async function openAudit(
  config: AuditConfig | undefined,
  parts: AuditParts,
): Promise<AuditRecorder | undefined> {
  if (config === undefined) {
    return undefined;
  }
  const policy = await followPolicy(config.policyFile, parts.log);
  parts.closers.use(policy);
  const metrics = new AuditMetrics(parts.registry);
  const losses = new LossReport((plugin, count) => metrics.lost(plugin, count), parts.log);
  parts.closers.use(losses);
  const giveUp = new AbortController();
  // Every call under way listens to it.
  setMaxListeners(0, giveUp.signal);
  const backend = await openBackends(config, parts, losses, giveUp.signal);
  if (backend !== undefined) {
    parts.closers.add(() => closeWithin(parts.closingMs, backend, giveUp));
  }
  return backend && new AuditRecorder({ policy: () => policy.current, backend, metrics, isLongRunning });
}

/** Delivers the remaining events. Those that cannot be delivered in time are dropped, and counted. */
async function closeWithin(ms: number, backend: AuditBackend, giveUp: AbortController): Promise<void> {
  const timer = setTimeout(() => giveUp.abort(), ms);
  await backend.close().finally(() => clearTimeout(timer));
}

/** Follows the policy file; a version that cannot be used changes nothing. */
function followPolicy(path: string, log: ServerLog): Promise<FollowedFiles<CompiledAuditPolicy>> {
  return followFiles({
    files: [path],
    read: async () => compileAuditPolicy(await readPolicy(path, log)),
    pollIntervalMs: policyPollMs,
    onReload: () => log.auditPolicyReloaded(path),
    onRefusal: (error) => log.auditPolicyRefused(path, error),
  });
}

async function readPolicy(path: string, log: ServerLog): Promise<auditV1.Policy> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown cause";
    throw new ConfigurationError(path, [problemAt("file", `cannot be read (${code})`)]);
  }
  const reading = await parseAuditPolicy(text);
  if (reading.policy === undefined) {
    throw new ConfigurationError(
      path,
      reading.errors.map((message) => ({ path, message })),
    );
  }
  if (reading.warnings.length > 0) {
    log.auditPolicyWarnings(path, reading.warnings);
  }
  return reading.policy;
}

async function openBackends(
  { log, webhook }: AuditConfig,
  parts: AuditParts,
  losses: AuditLosses,
  giveUp: AbortSignal,
): Promise<AuditBackend | undefined> {
  const backends: AuditBackend[] = [];
  if (log !== undefined) {
    backends.push(around(await openLog(log, parts, losses, giveUp), log, losses));
  }
  if (webhook !== undefined) {
    backends.push(await openWebhook(webhook, parts, losses, giveUp));
  }
  const [first] = backends;
  if (first === undefined) {
    return undefined;
  }
  const all = backends.length === 1 ? first : new UnionBackend(backends);
  parts.log.auditing(all.name);
  return all;
}

/** The standard output, which is not closed here. */
const standardOutputTarget: LineTarget = {
  write: (lines) => standardOutput.write(lines),
  close: async () => undefined,
};

async function openLog(
  config: AuditLogConfig,
  { log }: AuditParts,
  losses: AuditLosses,
  giveUp: AbortSignal,
): Promise<AuditBackend> {
  const onError = (error: unknown): void => log.fault(error);
  const target =
    config.path === "-" ? standardOutputTarget : await RotatingFile.open(config.path, { ...config, onError });
  const format = config.format === "legacy" ? legacyLine : ({ document }: { readonly document: string }) => document;
  return new LogBackend(new GroupWriter(target, giveUp), format, losses);
}

async function openWebhook(
  config: AuditWebhookConfig,
  { closers, log }: AuditParts,
  losses: AuditLosses,
  signal: AbortSignal,
): Promise<AuditBackend> {
  const client = createHttpClient({
    config: await loadKubeconfig(config.configFile),
    userAgent: "gatehouse-apiserver",
  });
  closers.use(client);
  const caller = new WebhookCaller(client, signal);
  const { initialBackoffMs, spool, mode } = config;
  if (spool !== undefined) {
    // Requests wait for the spool in every mode: that is what keeps their events when the process ends.
    const wait = mode === "batch" ? {} : { maxBatchWaitMs: 0 };
    const flushAfterMs = mode === "batch" ? spoolFlushMs : 0;
    const backend = await openSpool({
      ...config,
      ...spool,
      ...wait,
      flushAfterMs,
      caller,
      signal,
      losses,
      report: log,
    });
    const moded = spool.isStrict ? backend : new IgnoreErrorsBackend(backend);
    return truncated(moded, config, losses);
  }
  return around(new WebhookBackend(caller, { initialBackoffMs, signal, losses }), config, losses);
}

async function openSpool(options: SpoolOptions): Promise<SpoolingBackend> {
  try {
    return await SpoolingBackend.open(options);
  } catch (error) {
    if (error instanceof DirectoryInUseError) {
      throw new ConfigurationError("flags", [problemAt("--audit-webhook-spool-dir", error.message)]);
    }
    throw error;
  }
}

/** Wraps a backend for its mode and truncation: truncation outside, so that a buffer holds truncated events. */
function around(backend: AuditBackend, config: AuditDestinationConfig, losses: AuditLosses): AuditBackend {
  const { mode } = config;
  const moded =
    mode === "batch"
      ? new BufferedBackend(backend, config, losses)
      : mode === "blocking"
        ? new IgnoreErrorsBackend(backend)
        : backend;
  return truncated(moded, config, losses);
}

function truncated(backend: AuditBackend, { truncation }: AuditDestinationConfig, losses: AuditLosses): AuditBackend {
  return truncation === undefined ? backend : new TruncatingBackend(backend, truncation, losses);
}
