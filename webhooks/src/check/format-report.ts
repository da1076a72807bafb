import { version } from "@gatehouse/component-base";
import type { CheckReport, Finding } from "./check-manifests.js";

/** How a report can be written. */
export type ReportFormat = "text" | "junit" | "sarif";

/** Writes a report for people, for what reads JUnit XML, or for what reads SARIF 2.1.0. */
export function formatReport(report: CheckReport, format: ReportFormat): string {
  switch (format) {
    case "text":
      return textOf(report);
    case "junit":
      return junitOf(report);
    case "sarif":
      return JSON.stringify(sarifOf(report), undefined, 2);
  }
}

function textOf({ checked, findings }: CheckReport): string {
  const lines = findings.map(
    ({ file, line, object, level, rule, message }) => `${file}:${line}: ${level}: ${object}: ${rule}: ${message}`,
  );
  const errors = findings.filter(({ level }) => level === "error").length;
  return [...lines, `${checked.length} objects checked, ${errors} would be refused`].join("\n");
}

function junitOf({ checked, findings }: CheckReport): string {
  const cases = checked.map(({ file, line, object }) => {
    const own = findings.filter(
      (finding) => finding.file === file && finding.line === line && finding.object === object,
    );
    const failures = own
      .filter(({ level }) => level === "error")
      .map(({ rule, message }) => `<failure type="${xml(rule)}" message="${xml(message)}"/>`);
    return `  <testcase classname="${xml(file)}" name="${xml(object)}" line="${line}">${failures.join("")}</testcase>`;
  });
  const failed = new Set(
    findings.filter(({ level }) => level === "error").map(({ file, line, object }) => `${file} ${line} ${object}`),
  ).size;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="gatehouse-admission" tests="${checked.length}" failures="${failed}">`,
    ...cases,
    "</testsuite>",
  ].join("\n");
}

const xmlEscapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function xml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for these
  return text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, "").replace(/[&<>"]/g, (sign) => xmlEscapes[sign] ?? sign);
}

function sarifOf({ findings }: CheckReport): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "gatehouse-admission",
            version,
            rules: [...new Set(findings.map(({ rule }) => rule))].map((id) => ({ id })),
          },
        },
        results: findings.map(sarifResult),
      },
    ],
  };
}

function sarifResult({ file, line, object, level, rule, message }: Finding): object {
  return {
    ruleId: rule,
    level,
    message: { text: `${object}: ${message}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } } }],
  };
}
