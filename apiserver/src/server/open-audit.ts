import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type FollowedFiles, followFiles } from "@gatehouse/component-base/files";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { problemAt } from "@gatehouse/component-base/problems";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { type CompiledAuditPolicy, compileAuditPolicy, parseAuditPolicy } from "@gatehouse/policies/audit";
import type { AuditBackend, AuditLosses } from "../audit/audit-backend.js";
import { AuditMetrics } from "../audit/audit-metrics.js";
import type { AuditProcesses } from "../audit/audit-processes.js";
import { AuditRecorder } from "../audit/audit-recorder.js";
import { LossReport } from "../audit/loss-report.js";
import type { AuditOutput } from "../audit/outputs/audit-output.js";
import type { AuditOptions } from "../audit/outputs/resolve-audit.js";
import { UnionBackend } from "../audit/union-backend.js";
import { isLongRunning } from "../filters/enforce-deadline.js";
import type { ServerLog } from "../logs/server-log.js";
import type { Closers } from "./closers.js";

/** Interval in milliseconds between checks of the policy file. */
const policyPollMs = 1_000;

/** The dependencies of auditing. */
export interface AuditParts {
  readonly registry: MetricsRegistry;
  readonly log: ServerLog;
  /** Milliseconds for the delivery of events when the server stops. */
  readonly closingMs: number;
  readonly closers: Closers;
  /** The processes of the server, where it has several. */
  readonly processes: AuditProcesses | undefined;
}

/**
 * Reads the policy and opens the destinations of events. Undefined where nothing is recorded. Throws ConfigurationError
 * when the policy, or a destination, cannot be used.
 */
export async function openAudit(
  options: AuditOptions | undefined,
  parts: AuditParts,
): Promise<AuditRecorder | undefined> {
  // Shown where nothing is recorded, too, as in v1.29.
  const metrics = new AuditMetrics(parts.registry);
  if (options === undefined) {
    return undefined;
  }
  const policy = await openPolicy(options.policy, parts);
  const losses = new LossReport((plugin, count) => metrics.lost(plugin, count), parts.log);
  parts.closers.use(losses);
  const giveUp = new AbortController();
  // Every call under way listens to it.
  setMaxListeners(0, giveUp.signal);
  const backend = await openOutputs(options.outputs, parts, losses, giveUp.signal);
  if (backend !== undefined) {
    parts.closers.add(() => closeWithin(parts.closingMs, backend, giveUp));
  }
  return backend && new AuditRecorder({ policy, backend, metrics, isLongRunning });
}

/** Delivers the remaining events. Those that cannot be delivered in time are dropped, and counted. */
async function closeWithin(ms: number, backend: AuditBackend, giveUp: AbortController): Promise<void> {
  const timer = setTimeout(() => giveUp.abort(), ms);
  await backend.close().finally(() => clearTimeout(timer));
}

/** Returns the policy as it is now: a document never changes, a file may. */
async function openPolicy(
  given: AuditOptions["policy"],
  { log, closers }: AuditParts,
): Promise<() => CompiledAuditPolicy> {
  if (typeof given !== "string") {
    const compiled = compileAuditPolicy(given);
    return () => compiled;
  }
  const followed = closers.use(await followPolicy(given, log));
  return () => followed.current;
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

async function openOutputs(
  outputs: readonly AuditOutput[],
  { log, closers, processes }: AuditParts,
  losses: AuditLosses,
  giveUp: AbortSignal,
): Promise<AuditBackend | undefined> {
  const backends: AuditBackend[] = [];
  for (const output of outputs) {
    backends.push(await output.open({ losses, giveUp, log, processes, onClose: (close) => closers.add(close) }));
  }
  const [first] = backends;
  if (first === undefined) {
    return undefined;
  }
  const all = backends.length === 1 ? first : new UnionBackend(backends);
  log.auditing(all.name);
  return all;
}
