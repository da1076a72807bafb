import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { version } from "../version.js";
import type { Finding, ManifestPlace, ManifestReport, ReportRule, SkippedDocument } from "./manifest-report.js";

/** Id of the rule that results about skipped documents name. */
const skippedRule: ReportRule = {
  id: "skipped",
  title: "Documents that were not checked",
  description: "Names documents that are no manifests, or that only another program can read.",
};

/** Writes a report as SARIF 2.1.0, which the code scanning of GitHub reads. */
export function formatSarif({ tool, rules, checked, skipped }: ManifestReport): string {
  const described = skipped.length === 0 ? rules : [...rules, skippedRule];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: tool, version, rules: described.map(describeRule) } },
        results: [
          ...checked.flatMap(({ object, findings }) => findings.map((finding) => findingResult(object, finding))),
          ...skipped.map(skippedResult),
        ],
      },
    ],
  };
  return JSON.stringify(log, undefined, 2);
}

function describeRule({ id, title, description }: ReportRule): object {
  const full = { text: description };
  return { id, name: id, shortDescription: { text: title }, fullDescription: full, help: full };
}

function findingResult(object: string, { level, rule, message, ...place }: Finding): object {
  return { ruleId: rule, level, message: { text: `${object}: ${message}` }, locations: [location(place)] };
}

function skippedResult({ reason, ...place }: SkippedDocument): object {
  const text = `The document was not checked: ${reason}.`;
  return { ruleId: skippedRule.id, level: "note", message: { text }, locations: [location(place)] };
}

function location({ file, line }: ManifestPlace): object {
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } };
}

/**
 * Returns the URI of a file. Relative paths stay relative: they are resolved against the root of the repository, where
 * CI runs.
 */
function uriOf(file: string): string {
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join("/");
}
