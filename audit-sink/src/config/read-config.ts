import { type ConfigDocument, checkConfigDocument, readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { withoutNulls } from "@gatehouse/envelopes/json-patch";
import type { gatehouseauditV1alpha1 } from "@gatehouse/envelopes/types";
import { type AuditSinkConfig, consoleAccents, type PartyConfig, type RetentionConfig } from "./audit-sink-config.js";
import { resolvePipelines } from "./pipeline-config.js";
import { Settings } from "./settings.js";

type Configuration = gatehouseauditV1alpha1.AuditSinkConfiguration;

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "AuditSinkConfiguration" };

const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const dayMs = 24 * 3600 * 1000;
const unbounded: RetentionConfig = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
const defaultRetention: RetentionConfig = { maxAgeMs: 7 * dayMs, maxBytes: 10 * gibibyte };
/** Events; 128 bytes of memory each. */
const maxDuplicateWindow = 10_000_000;
/** Below 64 KiB segments are so small that a busy folder would hold too many of them to list. */
const minSegmentBytes = 64 * 1024;
/** UTF-16 units of a text that the console shows. */
const maxConsoleText = 200;

/** Reads the configuration of a sink. Throws ConfigurationError with every problem, told by its path. */
export async function readConfig(file: string): Promise<AuditSinkConfig> {
  return await resolveConfig(await readConfigFile(file));
}

/** Checks a configuration and fills in what it leaves out. */
export async function resolveConfig(document: ConfigDocument): Promise<AuditSinkConfig> {
  const checked = await checkConfigDocument<Configuration>(document, [kind]);
  const content = withoutNulls(checked as unknown as JsonObject) as unknown as Configuration;
  const settings = new Settings(document.folder);
  const config: AuditSinkConfig = {
    serving: servingOf(content.serving, settings),
    senders: partiesOf("senders", content.senders, content, settings),
    anySender: content.anySender ?? false,
    readers: partiesOf("readers", content.readers, content, settings),
    anyReader: content.anyReader ?? false,
    intake: intakeOf(content.intake ?? {}, settings),
    log: logOf(content.log, settings),
    gapAfterMs: settings.durationMs("completeness.gapAfter", content.completeness?.gapAfter, 60_000),
    pipelines: await resolvePipelines(content.pipelines ?? [], settings),
    index: indexOf(content.index, settings),
    console: consoleOf(content.console ?? {}, settings),
  };
  if (config.senders.length === 0 && !config.anySender) {
    settings.refuse("senders", "nobody may send events: name senders, or set anySender");
  }
  if (settings.problems.length > 0) {
    throw new ConfigurationError(document.subject, settings.problems);
  }
  return config;
}

function servingOf(serving: gatehouseauditV1alpha1.AuditServing, settings: Settings): AuditSinkConfig["serving"] {
  const port = serving.port ?? 8447;
  if (port < 0 || port > 65_535) {
    settings.refuse("serving.port", "must be between 0 and 65535");
  }
  return {
    host: serving.bindAddress || "0.0.0.0",
    port,
    certFile: settings.file("serving.certFile", serving.certFile),
    keyFile: settings.file("serving.keyFile", serving.keyFile),
    clientCaFile: settings.optionalFile(serving.clientCAFile),
  };
}

function partiesOf(
  path: "senders" | "readers",
  parties: readonly gatehouseauditV1alpha1.AuditParty[] = [],
  { serving }: Configuration,
  settings: Settings,
): readonly PartyConfig[] {
  const names = new Set<string>();
  const commonNames = new Set<string>();
  return parties.map((party, index) => {
    const at = `${path}[${index}]`;
    const name = settings.text(`${at}.name`, party.name);
    if (names.has(name)) {
      settings.refuse(`${at}.name`, `${JSON.stringify(name)} stands there twice`);
    }
    names.add(name);
    if (name.startsWith("system:")) {
      settings.refuse(`${at}.name`, "must not begin with system:");
    }
    for (const [i, commonName] of (party.commonNames ?? []).entries()) {
      if (commonNames.has(commonName)) {
        settings.refuse(`${at}.commonNames[${i}]`, `${JSON.stringify(commonName)} stands there twice`);
      }
      commonNames.add(commonName);
    }
    if ((party.commonNames?.length ?? 0) > 0 && !serving.clientCAFile) {
      settings.refuse(`${at}.commonNames`, "needs serving.clientCAFile");
    }
    if ((party.commonNames?.length ?? 0) === 0 && !party.tokenFile) {
      settings.refuse(at, "needs commonNames or a tokenFile");
    }
    return { name, commonNames: party.commonNames ?? [], tokenFile: settings.optionalFile(party.tokenFile) };
  });
}

function intakeOf(intake: gatehouseauditV1alpha1.AuditIntake, settings: Settings): AuditSinkConfig["intake"] {
  const maxBodyBytes = settings.bytes("intake.maxBodyBytes", intake.maxBodyBytes, 64 * mebibyte, 1024);
  const maxEventBytes = settings.bytes("intake.maxEventBytes", intake.maxEventBytes, 8 * mebibyte, 1024);
  const maxPendingBytes = settings.bytes("intake.maxPendingBytes", intake.maxPendingBytes, 256 * mebibyte);
  if (maxPendingBytes < 2 * maxBodyBytes) {
    // One sender gets half of it at most, and the longest body must fit in that.
    settings.refuse("intake.maxPendingBytes", "must be at least twice maxBodyBytes");
  }
  return {
    maxBodyBytes,
    maxEventBytes,
    maxPendingBytes,
    requestTimeoutMs: settings.durationMs("intake.requestTimeout", intake.requestTimeout, 30_000, 100),
    duplicateWindow: settings.count("intake.duplicateWindow", intake.duplicateWindow, 1_000_000, maxDuplicateWindow),
  };
}

function logOf(log: gatehouseauditV1alpha1.AuditLog, settings: Settings): AuditSinkConfig["log"] {
  return {
    directory: settings.file("log.directory", log.directory),
    segmentBytes: settings.bytes("log.segmentBytes", log.segmentBytes, 64 * mebibyte, minSegmentBytes),
    retention: retentionOf("log.retention", log.retention, defaultRetention, settings),
    undelivered: retentionOf("log.undelivered", log.undelivered, unbounded, settings),
  };
}

/** A bound that is left out of a retention that is given does not hold. */
function retentionOf(
  path: string,
  retention: gatehouseauditV1alpha1.AuditRetention | undefined,
  fallback: RetentionConfig,
  settings: Settings,
): RetentionConfig {
  return retention === undefined
    ? fallback
    : {
        maxAgeMs: settings.durationMs(`${path}.maxAge`, retention.maxAge, Number.POSITIVE_INFINITY, 1),
        maxBytes: settings.bytes(`${path}.maxBytes`, retention.maxBytes, Number.POSITIVE_INFINITY),
      };
}

function indexOf(index: gatehouseauditV1alpha1.AuditIndex | undefined, settings: Settings): AuditSinkConfig["index"] {
  return index === undefined
    ? undefined
    : {
        directory: settings.file("index.directory", index.directory),
        retention: retentionOf("index.retention", index.retention, defaultRetention, settings),
      };
}

function consoleOf(console: gatehouseauditV1alpha1.AuditConsole, settings: Settings): AuditSinkConfig["console"] {
  const { clusterName = "", tokenHint = "" } = console;
  for (const [name, text] of Object.entries({ clusterName, tokenHint })) {
    if (text.length > maxConsoleText) {
      settings.refuse(`console.${name}`, `must have ${maxConsoleText} characters at most`);
    }
  }
  const accent = consoleAccents.find((each) => each === (console.accent || "teal"));
  if (accent === undefined) {
    settings.refuse("console.accent", `must be one of ${consoleAccents.join(", ")}`);
  }
  return { clusterName, accent: accent ?? "teal", tokenHint };
}
