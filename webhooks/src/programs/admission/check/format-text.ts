import type { CheckReport } from "./check-report.js";

/** Writes a report as text: a line for each finding and each skipped document, and the totals. */
export function formatText({ checked, skipped, findings }: CheckReport): string {
  const lines = findings.map(
    ({ file, line, object, level, rule, message }) => `${file}:${line}: ${level}: ${object}: ${rule}: ${message}`,
  );
  const notes = skipped.map(({ file, line }) => `${file}:${line}: skipped: no manifest, without apiVersion and kind`);
  const refused = new Set(
    findings.filter(({ level }) => level === "error").map(({ file, line, object }) => `${file} ${line} ${object}`),
  ).size;
  const totals = [`${count(checked, "object")} checked`, `${refused} would be refused`];
  const left = skipped.length === 0 ? [] : [`${count(skipped, "document")} skipped`];
  return [...lines, ...notes, [...totals, ...left].join(", ")].join("\n");
}

function count({ length }: readonly unknown[], noun: string): string {
  return `${length} ${noun}${length === 1 ? "" : "s"}`;
}
