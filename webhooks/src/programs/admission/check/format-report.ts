import type { CheckReport } from "./check-report.js";
import { formatJunit } from "./format-junit.js";
import { formatSarif } from "./format-sarif.js";
import { formatText } from "./format-text.js";

/** The forms of a report. */
export const reportFormats = ["text", "junit", "sarif"] as const;

const formatters: Readonly<Record<(typeof reportFormats)[number], (report: CheckReport) => string>> = {
  text: formatText,
  junit: formatJunit,
  sarif: formatSarif,
};

/** Writes a report as text, as JUnit XML, or as SARIF 2.1.0. */
export function formatReport(report: CheckReport, format: (typeof reportFormats)[number]): string {
  return formatters[format](report);
}
