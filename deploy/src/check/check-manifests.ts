import { type DocumentVerdict, type Inputs, reportJudgement } from "@gatehouse/component-base/manifest-check";
import { DocumentError, type ManifestReport, type SourceDocument } from "@gatehouse/component-base/manifests";
import type { Hook } from "@gatehouse/webhooks";
import { inApplyOrder, inForceOrder, inGivenOrder, type StepDocuments } from "./apply-order.js";
import { type CheckRule, checkRules } from "./check-rules.js";
import { CheckServer } from "./check-server.js";
import type { JudgingServer } from "./judging-server.js";
import { type DocumentSettings, ManifestCheck } from "./manifest-check.js";
import type { ServerAccess } from "./server-access.js";

/** Settings of verdicts. */
export interface JudgeSettings extends DocumentSettings {
  /** True if documents are created in the order in which they are given. */
  readonly keepsOrder: boolean;
}

/** Settings of a check. */
export interface CheckSettings extends Omit<JudgeSettings, "oneByOne"> {
  /** Flags of the API server that judges. */
  readonly serverFlags: readonly string[];
  readonly hooks: readonly Hook[];
  /** Takes lines of text about hooks that fail to decide. */
  readonly writeLog: (line: string) => void;
}

/** The result of a check. */
export interface CheckResult {
  readonly report: ManifestReport;
  /** Documents that were to be in force, and that the server has refused. */
  readonly refused: readonly RefusedDocument[];
}

/** The rule of documents that cannot be read. */
const unreadable: CheckRule = "document";

/** A document that the server has refused, with the first reason. */
export interface RefusedDocument {
  readonly source: SourceDocument;
  readonly message: string;
}

/**
 * Starts an API server in this process, makes there what is to be in force, creates the documents, and reports what the
 * server says of each. Rejects with ConfigurationError for flags that the server refuses.
 */
export async function checkManifests(
  inputs: Inputs,
  inForce: readonly SourceDocument[],
  settings: CheckSettings,
): Promise<CheckResult> {
  const { hooks, serverFlags } = settings;
  const serve = async (access: ServerAccess) =>
    (await import("./serve-hooks.js")).serveHooks(hooks, access, settings.writeLog);
  await using server = await CheckServer.start(serverFlags, hooks.length === 0 ? undefined : serve);
  const oneByOne = hooks.length > 0;
  return await judgeManifests(server, inputs, inForce, { ...settings, oneByOne }, () => server.registerHooks());
}

/**
 * Creates documents on a server, and reports what it says of each. `beforeManifests` is called when everything is there that
 * is in force, and before the first document is created.
 */
export async function judgeManifests(
  server: JudgingServer,
  inputs: Inputs,
  inForce: readonly SourceDocument[],
  settings: JudgeSettings,
  beforeManifests?: () => Promise<void>,
): Promise<CheckResult> {
  const check = await ManifestCheck.begin(server, settings);
  const found = await judgeAll(check, inForceOrder(inForce));
  await beforeManifests?.();
  const sources = inputs.documents.flatMap((document) => (document instanceof DocumentError ? [] : [document]));
  const verdicts = await judgeAll(check, settings.keepsOrder ? inGivenOrder(sources) : inApplyOrder(sources));
  const judgement = { tool: "gatehouse check", rules: checkRules, unreadable, verdicts };
  return {
    report: reportJudgement(inputs, judgement),
    refused: [...found].flatMap(([source, { findings }]) => {
      const error = findings.find(({ level }) => level === "error");
      return error === undefined ? [] : [{ source, message: error.message }];
    }),
  };
}

type Verdicts = ReadonlyMap<SourceDocument, DocumentVerdict>;

async function judgeAll(check: ManifestCheck, steps: readonly StepDocuments[]): Promise<Verdicts> {
  const verdicts: [SourceDocument, DocumentVerdict][] = [];
  for (const step of steps) {
    verdicts.push(...(await check.judgeStep(step)));
  }
  return new Map(verdicts);
}
