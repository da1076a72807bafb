import type { FlagTable } from "../flags/index.js";
import { reportFormats } from "./format-report.js";

/** The flag for the form of a report on manifests. */
export const reportFlags = {
  output: {
    type: "string",
    default: "text",
    choices: reportFormats,
    shorthand: "o",
    group: "Report",
    help: "text for people, json, junit (XML) or sarif (2.1.0) for what reads them, github for annotations in GitHub Actions.",
  },
} as const satisfies FlagTable;
