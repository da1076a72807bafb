import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError, DirectoryInUseError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { createHttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { AuditBackend } from "../../audit-backend.js";
import type { AuditProcesses } from "../../audit-processes.js";
import { IgnoreErrorsBackend } from "../../ignore-errors-backend.js";
import { SpoolingBackend, type SpoolOptions } from "../../spool/spooling-backend.js";
import { WebhookBackend } from "../../webhook-backend.js";
import { WebhookCaller } from "../../webhook-caller.js";
import { type AuditDelivery, type DeliveryFlagValues, deliver, resolveDelivery, truncated } from "../audit-delivery.js";
import type { AuditOutput, AuditOutputParts, AuditOutputType } from "../audit-output.js";
import { webhookOutputFlags } from "./webhook-flags.js";

/**
 * Interval in milliseconds between flushes of the spool in batch mode: requests wait for the write to its file, but not
 * for the disk.
 */
const spoolFlushMs = 1_000;

/** A receiver of events. */
export interface WebhookOutputSettings extends AuditDelivery {
  /** The path of a kubeconfig. */
  readonly configFile: string;
  readonly initialBackoffMs: number;
  readonly spool: SpoolSettings | undefined;
}

/** A folder in which events are kept until the receiver has taken them. */
export interface SpoolSettings {
  readonly directory: string;
  readonly maxBytes: number;
  /** True if requests are refused while their events cannot be kept. */
  readonly isStrict: boolean;
}

/** An output to a webhook, with its settings. */
export interface WebhookOutput extends AuditOutput {
  readonly settings: WebhookOutputSettings;
}

/** The output to a webhook, which may keep events in a folder until they are delivered. */
export const webhookOutputType: AuditOutputType<typeof webhookOutputFlags, WebhookOutput> = {
  name: "webhook",
  flags: webhookOutputFlags,
  resolve(flags, problems) {
    const settings = resolveWebhook(flags, problems);
    return settings && { name: "webhook", settings, open: (parts) => openWebhook(settings, parts) };
  },
};

/** The name of a mode that v1.29 lacks: `batch`, but strict. It needs the spool. */
const batchStrict = "batch-strict";

function resolveWebhook(
  flags: FlagValues<typeof webhookOutputFlags>,
  problems: Problem[],
): WebhookOutputSettings | undefined {
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
    ...resolveDelivery("webhook", deliveryValues(flags, modeOfBatches), problems),
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

function deliveryValues(flags: FlagValues<typeof webhookOutputFlags>, mode: string): DeliveryFlagValues {
  return {
    mode,
    bufferSize: flags["audit-webhook-batch-buffer-size"],
    maxBatchSize: flags["audit-webhook-batch-max-size"],
    maxBatchWaitMs: flags["audit-webhook-batch-max-wait"],
    isThrottled: flags["audit-webhook-batch-throttle-enable"],
    perSecond: flags["audit-webhook-batch-throttle-qps"],
    burst: flags["audit-webhook-batch-throttle-burst"],
    isTruncated: flags["audit-webhook-truncate-enabled"],
    maxEventBytes: flags["audit-webhook-truncate-max-event-size"],
    maxBatchBytes: flags["audit-webhook-truncate-max-batch-size"],
    version: flags["audit-webhook-version"],
  };
}

async function openWebhook(
  settings: WebhookOutputSettings,
  { onClose, log, losses, giveUp: signal, processes }: AuditOutputParts,
): Promise<AuditBackend> {
  const client = createHttpClient({
    config: await loadKubeconfig(settings.configFile),
    userAgent: "gatehouse-apiserver",
  });
  onClose(() => client[Symbol.dispose]());
  const caller = new WebhookCaller(client, signal);
  const { initialBackoffMs, spool, mode } = settings;
  if (spool !== undefined) {
    // Requests wait for the spool in every mode: that is what keeps their events when the process ends.
    const wait = mode === "batch" ? {} : { maxBatchWaitMs: 0 };
    const flushAfterMs = mode === "batch" ? spoolFlushMs : 0;
    const options = { ...settings, ...spool, ...wait, flushAfterMs, caller, signal, losses, report: log };
    const backend = await openSpool({ ...options, ...spoolOfProcess(spool, processes) });
    for (const directory of await spoolsOfNobody(spool, processes)) {
      const left = await openSpool({ ...options, directory });
      onClose(() => left.close());
    }
    const moded = spool.isStrict ? backend : new IgnoreErrorsBackend(backend);
    return truncated(moded, settings, losses);
  }
  return deliver(new WebhookBackend(caller, { initialBackoffMs, signal, losses }), settings, losses);
}

/** Returns the folder of a process and its share of the space. A folder has one writer, and events are numbered in each. */
function spoolOfProcess(
  { directory, maxBytes }: SpoolSettings,
  processes: AuditProcesses | undefined,
): Pick<SpoolSettings, "directory" | "maxBytes"> {
  if (processes === undefined) {
    return { directory, maxBytes };
  }
  const { number, count } = processes;
  const own = number === 1 ? directory : join(directory, `${workerFolder}${number}`);
  return { directory: own, maxBytes: Math.floor(maxBytes / count) };
}

const workerFolder = "worker-";

/**
 * Returns the folders of processes that the server had once, and has no more: the first process delivers what is left in
 * them.
 */
async function spoolsOfNobody(
  { directory }: SpoolSettings,
  { number, count }: Pick<AuditProcesses, "number" | "count"> = { number: 1, count: 1 },
): Promise<readonly string[]> {
  if (number !== 1) {
    return [];
  }
  const names = await readdir(directory);
  return names
    .filter((name) => name.startsWith(workerFolder) && Number(name.slice(workerFolder.length)) > count)
    .map((name) => join(directory, name));
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
