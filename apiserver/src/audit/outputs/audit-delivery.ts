import type { Problem } from "@gatehouse/component-base/problems";
import { isGroupVersion } from "@gatehouse/envelopes/go";
import type { AuditBackend, AuditLosses } from "../audit-backend.js";
import { BufferedBackend } from "../buffered-backend.js";
import { IgnoreErrorsBackend } from "../ignore-errors-backend.js";
import { TruncatingBackend } from "../truncating-backend.js";

/** The settings of delivery that every output of flags has. */
export interface AuditDelivery {
  readonly mode: AuditMode;
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  readonly maxBatchWaitMs: number;
  readonly throttle: { readonly perSecond: number; readonly burst: number } | undefined;
  /** Limits in bytes; undefined for no truncation. */
  readonly truncation: { readonly maxEventBytes: number; readonly maxBatchBytes: number } | undefined;
}

const modes = ["batch", "blocking", "blocking-strict"] as const;

/** The mode of an output: whether requests wait for their events, and whether they fail without. */
export type AuditMode = (typeof modes)[number];

/** The values of the flags of delivery, `--audit-<output>-mode` and so on. */
export interface DeliveryFlagValues {
  readonly mode: string;
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  readonly maxBatchWaitMs: number;
  readonly isThrottled: boolean;
  readonly perSecond: number;
  readonly burst: number;
  readonly isTruncated: boolean;
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
  readonly version: string;
}

/**
 * Resolves the flags of delivery to the output `name`, with v1.29's texts; of batches only the first problem is reported,
 * and only in a mode that has them.
 */
export function resolveDelivery(name: string, flags: DeliveryFlagValues, problems: Problem[]): AuditDelivery {
  const { bufferSize, maxBatchSize, maxBatchWaitMs, perSecond, burst, maxEventBytes, maxBatchBytes } = flags;
  const found = [
    batchProblem(name, flags),
    truncationProblem(name, maxEventBytes, maxBatchBytes),
    versionProblem(name, flags.version),
  ];
  problems.push(...found.filter((each) => each !== undefined));
  return {
    mode: modes.find((known) => known === flags.mode) ?? "batch",
    bufferSize,
    maxBatchSize,
    maxBatchWaitMs,
    throttle: flags.isThrottled ? { perSecond, burst } : undefined,
    truncation: flags.isTruncated ? { maxEventBytes, maxBatchBytes } : undefined,
  };
}

/** Wraps a backend for its mode and truncation: truncation outside, so that a buffer holds truncated events. */
export function deliver(backend: AuditBackend, delivery: AuditDelivery, losses: AuditLosses): AuditBackend {
  const { mode } = delivery;
  const moded =
    mode === "batch"
      ? new BufferedBackend(backend, delivery, losses)
      : mode === "blocking"
        ? new IgnoreErrorsBackend(backend)
        : backend;
  return truncated(moded, delivery, losses);
}

/** Wraps a backend for truncation alone. */
export function truncated(backend: AuditBackend, { truncation }: AuditDelivery, losses: AuditLosses): AuditBackend {
  return truncation === undefined ? backend : new TruncatingBackend(backend, truncation, losses);
}

function batchProblem(name: string, flags: DeliveryFlagValues): Problem | undefined {
  const { mode, isThrottled } = flags;
  if (!modes.some((known) => known === mode)) {
    const text = `invalid audit ${name} mode ${mode}, allowed modes are "${modes.join(",")}"`;
    return problem(`--audit-${name}-mode`, text);
  }
  if (mode !== "batch") {
    return undefined;
  }
  const checks = [
    ["buffer-size", "buffer size", true, flags.bufferSize],
    ["max-size", "max batch size", true, flags.maxBatchSize],
    ["throttle-qps", "throttle QPS", isThrottled, flags.perSecond],
    ["throttle-burst", "throttle burst", isThrottled, flags.burst],
  ] as const;
  for (const [flag, text, applies, value] of checks) {
    if (applies && value <= 0) {
      const message = `invalid audit batch ${name} ${text} ${value}, must be a positive number`;
      return problem(`--audit-${name}-batch-${flag}`, message);
    }
  }
  return undefined;
}

function truncationProblem(name: string, maxEventBytes: number, maxBatchBytes: number): Problem | undefined {
  const flag = `--audit-${name}-truncate-max`;
  if (maxEventBytes <= 0) {
    const text = `invalid audit truncate ${name} max event size ${maxEventBytes}, must be a positive number`;
    return problem(`${flag}-event-size`, text);
  }
  return maxBatchBytes >= maxEventBytes
    ? undefined
    : problem(
        `${flag}-batch-size`,
        `invalid audit truncate ${name} max batch size ${maxBatchBytes}, must be greater than max event size (${maxEventBytes})`,
      );
}

function versionProblem(name: string, version: string): Problem | undefined {
  if (version === "audit.k8s.io/v1") {
    return undefined;
  }
  const text = isGroupVersion(version)
    ? `invalid group version, allowed versions are [{"audit.k8s.io" "v1"}]`
    : `unexpected GroupVersion string: ${version}`;
  return problem(`--audit-${name}-version`, text);
}

function problem(path: string, message: string): Problem {
  return { path, message };
}
