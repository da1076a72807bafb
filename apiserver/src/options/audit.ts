import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { AuditFlagValues } from "./audit-flags.js";

/**
 * The audit policy and its destinations. Without a destination nothing is recorded, but the policy must be valid all
 * the same.
 */
export interface AuditConfig {
  readonly policyFile: string;
  readonly log: AuditLogConfig | undefined;
  readonly webhook: AuditWebhookConfig | undefined;
}

/** The options that both destinations have. */
export interface AuditDestinationConfig {
  readonly mode: AuditMode;
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  readonly maxBatchWaitMs: number;
  readonly throttle: { readonly perSecond: number; readonly burst: number } | undefined;
  /** Limits in bytes; undefined for no truncation. */
  readonly truncation: { readonly maxEventBytes: number; readonly maxBatchBytes: number } | undefined;
}

/** A file, or standard output. */
export interface AuditLogConfig extends AuditDestinationConfig {
  /** The path, or `-` for standard output. */
  readonly path: string;
  readonly format: "json" | "legacy";
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly maxMegabytes: number;
  readonly compress: boolean;
}

/** A receiver of events. */
export interface AuditWebhookConfig extends AuditDestinationConfig {
  /** The path of a kubeconfig. */
  readonly configFile: string;
  readonly initialBackoffMs: number;
  readonly spool: AuditSpoolConfig | undefined;
}

/** A folder in which events are kept until the receiver has taken them. */
export interface AuditSpoolConfig {
  readonly directory: string;
  readonly maxBytes: number;
  /** True if requests are refused while their events cannot be kept. */
  readonly isStrict: boolean;
}

/** The name of a mode that v1.29 lacks: `batch`, but strict. It needs the spool. */
const batchStrict = "batch-strict";

const modes = ["batch", "blocking", "blocking-strict"] as const;

/** The mode of a destination: whether requests wait for their events, and whether they fail without. */
export type AuditMode = (typeof modes)[number];

const formats = ["legacy", "json"] as const;

type Plugin = "log" | "webhook";

/**
 * Resolves the flags of auditing; undefined without a policy, since nothing is recorded then. Adds problems and
 * warnings to the given lists. As in v1.29 a destination that is not used is not checked.
 */
export function resolveAuditConfig(
  flags: AuditFlagValues,
  problems: Problem[],
  warnings: string[],
): AuditConfig | undefined {
  const log = resolveLog(flags, problems);
  const webhook = resolveWebhook(flags, problems);
  const policyFile = flags["audit-policy-file"];
  if (policyFile === undefined) {
    if (log !== undefined || webhook !== undefined) {
      warnings.push("no --audit-policy-file is given: no audit events will be recorded");
    }
    return undefined;
  }
  return { policyFile, log, webhook };
}

function resolveLog(flags: AuditFlagValues, problems: Problem[]): AuditLogConfig | undefined {
  const path = flags["audit-log-path"];
  if (path === undefined) {
    return undefined;
  }
  const destination = resolveDestination("log", flags, problems);
  const format = formats.find((known) => known === flags["audit-log-format"]);
  if (format === undefined) {
    problems.push(
      problem(
        "--audit-log-format",
        `invalid audit log format ${flags["audit-log-format"]}, allowed formats are "${formats.join(",")}"`,
      ),
    );
  }
  for (const flag of ["audit-log-maxage", "audit-log-maxbackup", "audit-log-maxsize"] as const) {
    if (flags[flag] < 0) {
      problems.push(problem(`--${flag}`, `--${flag} ${flags[flag]} can't be a negative number`));
    }
  }
  return {
    ...destination,
    path,
    format: format ?? "json",
    maxAgeDays: flags["audit-log-maxage"],
    maxBackups: flags["audit-log-maxbackup"],
    maxMegabytes: flags["audit-log-maxsize"],
    compress: flags["audit-log-compress"],
  };
}

function resolveWebhook(flags: AuditFlagValues, problems: Problem[]): AuditWebhookConfig | undefined {
  const configFile = flags["audit-webhook-config-file"];
  const directory = flags["audit-webhook-spool-dir"];
  const mode = flags["audit-webhook-mode"] ?? (directory === undefined ? "batch" : batchStrict);
  const modeOfBatches = directory !== undefined && mode === batchStrict ? "batch" : mode;
  if (configFile === undefined) {
    if (directory !== undefined) {
      problems.push(problemAt("--audit-webhook-spool-dir", "needs --audit-webhook-config-file"));
    }
    return undefined;
  }
  return {
    ...resolveDestination("webhook", { ...flags, "audit-webhook-mode": modeOfBatches }, problems),
    configFile,
    initialBackoffMs: flags["audit-webhook-batch-initial-backoff"] ?? flags["audit-webhook-initial-backoff"],
    spool:
      directory === undefined
        ? undefined
        : {
            directory,
            maxBytes: flags["audit-webhook-spool-max-size"] * 1024 * 1024,
            isStrict: mode === batchStrict || mode === "blocking-strict",
          },
  };
}

/**
 * Resolves the flags of a destination, with v1.29's texts; of batches only the first problem is reported, and only in a
 * mode that has them.
 */
function resolveDestination(plugin: Plugin, flags: AuditFlagValues, problems: Problem[]): AuditDestinationConfig {
  const mode = modes.find((known) => known === flags[`audit-${plugin}-mode`]);
  const bufferSize = flags[`audit-${plugin}-batch-buffer-size`];
  const maxBatchSize = flags[`audit-${plugin}-batch-max-size`];
  const perSecond = flags[`audit-${plugin}-batch-throttle-qps`];
  const burst = flags[`audit-${plugin}-batch-throttle-burst`];
  const throttle = flags[`audit-${plugin}-batch-throttle-enable`] ? { perSecond, burst } : undefined;
  const maxEventBytes = flags[`audit-${plugin}-truncate-max-event-size`];
  const maxBatchBytes = flags[`audit-${plugin}-truncate-max-batch-size`];
  const found = [
    batchProblem(plugin, flags),
    truncationProblem(plugin, maxEventBytes, maxBatchBytes),
    versionProblem(plugin, flags[`audit-${plugin}-version`]),
  ];
  problems.push(...found.filter((each) => each !== undefined));
  return {
    mode: mode ?? "batch",
    bufferSize,
    maxBatchSize,
    maxBatchWaitMs: flags[`audit-${plugin}-batch-max-wait`],
    throttle,
    truncation: flags[`audit-${plugin}-truncate-enabled`] ? { maxEventBytes, maxBatchBytes } : undefined,
  };
}

function batchProblem(plugin: Plugin, flags: AuditFlagValues): Problem | undefined {
  const mode = flags[`audit-${plugin}-mode`];
  if (!modes.some((known) => known === mode)) {
    const text = `invalid audit ${plugin} mode ${mode}, allowed modes are "${modes.join(",")}"`;
    return problem(`--audit-${plugin}-mode`, text);
  }
  if (mode !== "batch") {
    return undefined;
  }
  const throttled = flags[`audit-${plugin}-batch-throttle-enable`];
  const checks = [
    ["buffer-size", "buffer size", true],
    ["max-size", "max batch size", true],
    ["throttle-qps", "throttle QPS", throttled],
    ["throttle-burst", "throttle burst", throttled],
  ] as const;
  for (const [name, text, applies] of checks) {
    const flag = `audit-${plugin}-batch-${name}` as const;
    if (applies && flags[flag] <= 0) {
      return problem(`--${flag}`, `invalid audit batch ${plugin} ${text} ${flags[flag]}, must be a positive number`);
    }
  }
  return undefined;
}

function truncationProblem(plugin: Plugin, maxEventBytes: number, maxBatchBytes: number): Problem | undefined {
  const flag = `--audit-${plugin}-truncate-max`;
  if (maxEventBytes <= 0) {
    const text = `invalid audit truncate ${plugin} max event size ${maxEventBytes}, must be a positive number`;
    return problem(`${flag}-event-size`, text);
  }
  return maxBatchBytes >= maxEventBytes
    ? undefined
    : problem(
        `${flag}-batch-size`,
        `invalid audit truncate ${plugin} max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`,
      );
}

function versionProblem(plugin: Plugin, version: string): Problem | undefined {
  if (version === "audit.k8s.io/v1") {
    return undefined;
  }
  const text =
    version.split("/").length > 2
      ? `unexpected GroupVersion string: ${version}`
      : `invalid group version, allowed versions are [{"audit.k8s.io" "v1"}]`;
  return problem(`--audit-${plugin}-version`, text);
}

function problem(path: string, message: string): Problem {
  return { path, message };
}
