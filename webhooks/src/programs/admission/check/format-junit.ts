import { xml } from "../../xml-text.js";
import type { CheckedManifest, CheckReport, Finding } from "./check-report.js";

/** Writes a report as JUnit XML: a test case for each object, in the suite of its file; times are in seconds. */
export function formatJunit({ checked, skipped, findings }: CheckReport): string {
  const cases = checked.map((manifest) => {
    const own = findings.filter((finding) => isAbout(finding, manifest));
    return { manifest, errors: own.filter(isError), remarks: own.filter((finding) => !isError(finding)) };
  });
  const totalMs = checked.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const failures = cases.filter(({ errors }) => errors.length > 0).length;
  const counts = `tests="${checked.length + skipped.length}" failures="${failures}" errors="0" skipped="${skipped.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="gatehouse-admission" ${counts} time="${seconds(totalMs)}">`,
    ...cases.map(({ manifest, errors, remarks }) => testCase(manifest, [...failuresOf(errors), ...outputOf(remarks)])),
    ...skipped.map((place) => testCase({ ...place, object: "document", durationMs: 0 }, ["<skipped/>"])),
    "</testsuite>",
  ].join("\n");
}

function isAbout(finding: Finding, { file, line, object }: CheckedManifest): boolean {
  return finding.file === file && finding.line === line && finding.object === object;
}

function isError({ level }: Finding): boolean {
  return level === "error";
}

function testCase({ file, line, object, durationMs }: CheckedManifest, content: readonly string[]): string {
  const attributes = `classname="${xml(file)}" name="${xml(object)}" line="${line}" time="${seconds(durationMs)}"`;
  return `  <testcase ${attributes}>${content.join("")}</testcase>`;
}

function failuresOf(errors: readonly Finding[]): readonly string[] {
  return errors.map(({ rule, message }) => `<failure type="${xml(rule)}" message="${xml(message)}"/>`);
}

function outputOf(remarks: readonly Finding[]): readonly string[] {
  const lines = remarks.map(({ level, rule, message }) => xml(`${level}: ${rule}: ${message}\n`));
  return lines.length === 0 ? [] : [`<system-out>${lines.join("")}</system-out>`];
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}
