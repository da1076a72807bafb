import { formatGithub } from "./format-github.js";
import { formatJson } from "./format-json.js";
import { formatJunit } from "./format-junit.js";
import { formatSarif } from "./format-sarif.js";
import { formatText } from "./format-text.js";
import type { ManifestReport } from "./manifest-report.js";

/** The forms of a report. */
export const reportFormats = ["text", "json", "junit", "sarif", "github"] as const;

/** A form of a report. */
export type ReportFormat = (typeof reportFormats)[number];

const formatters: Readonly<Record<ReportFormat, (report: ManifestReport) => string>> = {
  text: formatText,
  json: formatJson,
  junit: formatJunit,
  sarif: formatSarif,
  github: formatGithub,
};

/** Writes a report as text, as JSON, as JUnit XML, as SARIF 2.1.0, or as annotations of GitHub Actions. */
export function formatReport(report: ManifestReport, format: ReportFormat): string {
  return formatters[format](report);
}
