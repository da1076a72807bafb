import { isRefused } from "./is-refused.js";
import type { ManifestReport } from "./manifest-report.js";

/** Writes a report as text: a line for each finding and each skipped document, and the totals. */
export function formatText({ checked, skipped }: ManifestReport): string {
  const lines = checked.flatMap(({ object, findings }) =>
    findings.map(({ file, line, level, rule, message }) => `${file}:${line}: ${level}: ${object}: ${rule}: ${message}`),
  );
  const notes = skipped.map(({ file, line, reason }) => `${file}:${line}: skipped: ${reason}`);
  const totals = [`${count(checked, "object")} checked`, `${checked.filter(isRefused).length} would be refused`];
  const left = skipped.length === 0 ? [] : [`${count(skipped, "document")} skipped`];
  return [...lines, ...notes, [...totals, ...left].join(", ")].join("\n");
}

function count({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? "" : "s"}`;
}
