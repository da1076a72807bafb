import { isRefused } from "./is-refused.js";
import type { CheckedManifest, Finding, ManifestReport } from "./manifest-report.js";

/** Writes a report as JSON: totals, and each document with its verdict (`accepted`, `refused`, `skipped`) and findings. */
export function formatJson({ tool, checked, skipped }: ManifestReport): string {
  const refused = checked.filter(isRefused).length;
  const report = {
    tool,
    totals: { checked: checked.length, refused, skipped: skipped.length },
    documents: [
      ...checked.map(documentOf),
      ...skipped.map(({ file, line, reason }) => ({ file, line, verdict: "skipped", reason })),
    ],
  };
  return JSON.stringify(report, undefined, 2);
}

function documentOf(manifest: CheckedManifest): object {
  const { file, line, object, findings } = manifest;
  const verdict = isRefused(manifest) ? "refused" : "accepted";
  return { file, line, object, verdict, findings: findings.map(findingOf) };
}

function findingOf({ line, rule, level, message }: Finding): object {
  return { line, level, rule, message };
}
