import { standardOutput } from "@gatehouse/component-base/files";
import type { FlagValues } from "@gatehouse/component-base/flags";
import type { Problem } from "@gatehouse/component-base/problems";
import type { AuditBackend } from "../../audit-backend.js";
import type { FileSharing } from "../../audit-processes.js";
import { GroupWriter, type LineTarget } from "../../group-writer.js";
import { legacyLine } from "../../legacy-format.js";
import { LogBackend } from "../../log-backend.js";
import { RotatingFile } from "../../rotating-file.js";
import { type AuditDelivery, type DeliveryFlagValues, deliver, resolveDelivery } from "../audit-delivery.js";
import type { AuditOutput, AuditOutputParts, AuditOutputType } from "../audit-output.js";
import { logOutputFlags } from "./log-flags.js";

/** A file, or standard output. */
export interface LogOutputSettings extends AuditDelivery {
  /** The path, or `-` for standard output. */
  readonly path: string;
  readonly format: "json" | "legacy";
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly maxMegabytes: number;
  readonly compress: boolean;
}

/** An output to a file, with its settings. */
export interface LogOutput extends AuditOutput {
  readonly settings: LogOutputSettings;
}

/** The output to a file or to the standard output, one event a line. */
export const logOutputType: AuditOutputType<typeof logOutputFlags, LogOutput> = {
  name: "log",
  flags: logOutputFlags,
  resolve(flags, problems) {
    const settings = resolveLog(flags, problems);
    return settings && { name: "log", settings, open: (parts) => openLog(settings, parts) };
  },
};

const formats = ["legacy", "json"] as const;

function resolveLog(flags: FlagValues<typeof logOutputFlags>, problems: Problem[]): LogOutputSettings | undefined {
  const path = flags["audit-log-path"];
  if (path === undefined) {
    return undefined;
  }
  const delivery = resolveDelivery("log", deliveryValues(flags), problems);
  const format = formats.find((known) => known === flags["audit-log-format"]);
  if (format === undefined) {
    problems.push({
      path: "--audit-log-format",
      message: `invalid audit log format ${flags["audit-log-format"]}, allowed formats are "${formats.join(",")}"`,
    });
  }
  for (const flag of ["audit-log-maxage", "audit-log-maxbackup", "audit-log-maxsize"] as const) {
    if (flags[flag] < 0) {
      problems.push({ path: `--${flag}`, message: `--${flag} ${flags[flag]} can't be a negative number` });
    }
  }
  return {
    ...delivery,
    path,
    format: format ?? "json",
    maxAgeDays: flags["audit-log-maxage"],
    maxBackups: flags["audit-log-maxbackup"],
    maxMegabytes: flags["audit-log-maxsize"],
    compress: flags["audit-log-compress"],
  };
}

function deliveryValues(flags: FlagValues<typeof logOutputFlags>): DeliveryFlagValues {
  return {
    mode: flags["audit-log-mode"],
    bufferSize: flags["audit-log-batch-buffer-size"],
    maxBatchSize: flags["audit-log-batch-max-size"],
    maxBatchWaitMs: flags["audit-log-batch-max-wait"],
    isThrottled: flags["audit-log-batch-throttle-enable"],
    perSecond: flags["audit-log-batch-throttle-qps"],
    burst: flags["audit-log-batch-throttle-burst"],
    isTruncated: flags["audit-log-truncate-enabled"],
    maxEventBytes: flags["audit-log-truncate-max-event-size"],
    maxBatchBytes: flags["audit-log-truncate-max-batch-size"],
    version: flags["audit-log-version"],
  };
}

/** Returns the standard output, which is not closed here. A pipe takes long lines in pieces: one process writes at a time. */
function standardOutputShared(sharing: FileSharing | undefined): LineTarget {
  const write = (lines: Uint8Array): Promise<void> => standardOutput.write(lines);
  return {
    write: sharing === undefined ? write : (lines) => sharing.exclusively(() => write(lines)),
    close: async () => undefined,
  };
}

async function openLog(
  settings: LogOutputSettings,
  { log, losses, giveUp, processes }: AuditOutputParts,
): Promise<AuditBackend> {
  const onError = (error: unknown): void => log.fault(error);
  const sharing = processes?.shareFile(settings.path);
  const target =
    settings.path === "-"
      ? standardOutputShared(sharing)
      : await RotatingFile.open(settings.path, { ...settings, onError, sharing });
  const format = settings.format === "legacy" ? legacyLine : ({ document }: { readonly document: string }) => document;
  return deliver(new LogBackend(new GroupWriter(target, giveUp), format, losses), settings, losses);
}
