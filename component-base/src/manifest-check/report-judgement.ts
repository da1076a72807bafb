import {
  type CheckedManifest,
  DocumentError,
  type Finding,
  type ManifestReport,
  type SkippedDocument,
  type SourceDocument,
} from "../manifests/index.js";
import { describeObject } from "./describe-object.js";
import type { Judgement } from "./judgement.js";
import { lineOf } from "./locate-field.js";
import type { Inputs } from "./read-inputs.js";

/** Makes the report on documents from the verdicts on them, in the order of the documents. */
export function reportJudgement({ documents, skipped }: Inputs, judgement: Judgement): ManifestReport {
  const { tool, rules } = judgement;
  const judged = documents.map((document) =>
    document instanceof DocumentError
      ? unreadableDocument(document, judgement.unreadable)
      : judgedDocument(document, judgement),
  );
  return {
    tool,
    rules,
    checked: judged.filter((each) => "object" in each),
    skipped: [...judged.filter((each) => "reason" in each), ...skipped],
  };
}

/** Returns a report in which an API server would refuse what it only warns of. */
export function withWarningsAsErrors(report: ManifestReport): ManifestReport {
  const levelled = (finding: Finding): Finding =>
    finding.level === "warning" ? { ...finding, level: "error" } : finding;
  const checked = report.checked.map((manifest) => ({ ...manifest, findings: manifest.findings.map(levelled) }));
  return { ...report, checked };
}

function unreadableDocument({ file, line, text }: DocumentError, rule: string): CheckedManifest {
  return { file, line, object: "document", findings: [{ file, line, rule, level: "error", message: text }] };
}

/** Returns a document as the report tells of it: with its findings, or with the reason why it was not checked. */
function judgedDocument(document: SourceDocument, { verdicts }: Judgement): CheckedManifest | SkippedDocument {
  const { file, content } = document;
  const { findings, skipped, durationMs } = verdicts.get(document) ?? { findings: [] };
  const line = lineOf(document);
  return skipped === undefined
    ? { file, line, object: describeObject(content), ...(durationMs === undefined ? {} : { durationMs }), findings }
    : { file, line, reason: skipped };
}
