import {
  type CheckedManifest,
  DocumentError,
  type Finding,
  type ManifestReport,
  type SkippedDocument,
  type SourceDocument,
} from "@gatehouse/component-base/manifests";
import type { Hook } from "@gatehouse/webhooks";
import { findingAbout } from "./answer-findings.js";
import { inApplyOrder, inForceOrder, inGivenOrder, type StepDocuments } from "./apply-order.js";
import { checkRules } from "./check-rules.js";
import { CheckServer } from "./check-server.js";
import { lineOfField } from "./locate-field.js";
import { type DocumentSettings, type DocumentVerdict, ManifestCheck } from "./manifest-check.js";
import { describeObject } from "./object-name.js";
import type { Inputs } from "./read-inputs.js";
import type { ServerAccess } from "./server-access.js";

/** Settings of a check. */
export interface CheckSettings extends DocumentSettings {
  /** Flags of the API server that judges. */
  readonly serverFlags: readonly string[];
  readonly hooks: readonly Hook[];
  /** True if documents are created in the order in which they are given. */
  readonly keepsOrder: boolean;
  /** True if documents of kinds that nothing defines are skipped. */
  readonly ignoresMissingKinds: boolean;
  readonly warningsAreErrors: boolean;
}

/** The result of a check. */
export interface CheckResult {
  readonly report: ManifestReport;
  /** Errors about documents that were to be in force, and that the server has refused. */
  readonly refused: readonly Finding[];
}

/**
 * Starts an API server in this process, makes there what is to be in force, creates the documents, and reports what the
 * server says of each. Rejects with ConfigurationError for flags that the server refuses.
 */
export async function checkManifests(
  { documents, skipped }: Inputs,
  inForce: readonly SourceDocument[],
  settings: CheckSettings,
): Promise<CheckResult> {
  const { hooks, serverFlags } = settings;
  const serve = async (access: ServerAccess) => (await import("./serve-hooks.js")).serveHooks(hooks, access);
  await using server = await CheckServer.start(serverFlags, hooks.length === 0 ? undefined : serve);
  const check = await ManifestCheck.begin(server, settings);
  const found = await judgeAll(check, inForceOrder(inForce));
  await server.registerHooks();
  const sources = documents.flatMap((document) => (document instanceof DocumentError ? [] : [document]));
  const verdicts = await judgeAll(check, settings.keepsOrder ? inGivenOrder(sources) : inApplyOrder(sources));
  const judged = documents.map((document) => judgedDocument(document, verdicts, settings));
  return {
    report: {
      tool: "gatehouse check",
      rules: checkRules,
      checked: judged.filter((each) => "object" in each),
      skipped: [...judged.filter((each) => "reason" in each), ...skipped],
    },
    refused: [...found.values()].flatMap(({ findings }) => findings.filter(({ level }) => level === "error")),
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

/** Returns a document as the report tells of it: with its findings, or with the reason why it was not checked. */
function judgedDocument(
  document: SourceDocument | DocumentError,
  verdicts: Verdicts,
  { ignoresMissingKinds, warningsAreErrors }: CheckSettings,
): CheckedManifest | SkippedDocument {
  const { file } = document;
  if (document instanceof DocumentError) {
    const { line, text } = document;
    return { file, line, object: "document", findings: [findingAbout(document, "document", "error", text)] };
  }
  const { findings, missingKind } = verdicts.get(document) ?? { findings: [] };
  const line = document.item === undefined ? document.line : lineOfField(document, "");
  if (missingKind !== undefined && ignoresMissingKinds) {
    return { file, line, reason: missingKind };
  }
  return { file, line, object: describeObject(document.content), findings: findings.map(levelled) };

  function levelled(finding: Finding): Finding {
    return warningsAreErrors && finding.level === "warning" ? { ...finding, level: "error" } : finding;
  }
}
