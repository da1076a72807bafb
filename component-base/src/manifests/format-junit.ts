import { isError, isRefused } from "./is-refused.js";
import type { CheckedManifest, Finding, ManifestPlace, ManifestReport, SkippedDocument } from "./manifest-report.js";
import { xml } from "./xml-text.js";

/**
 * Writes a report as JUnit XML: a test case for each object, in the class of its file; times are in seconds. Lines stand in
 * the text of failures and in the output: the schema of Jenkins has no attribute for them and refuses any that it does not know.
 */
export function formatJunit({ tool, checked, skipped }: ManifestReport): string {
  const failures = checked.filter(isRefused).length;
  const counts = `tests="${checked.length + skipped.length}" failures="${failures}" errors="0" skipped="${skipped.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${xml(tool)}" ${counts}${timeOf(checked)}>`,
    ...checked.map((manifest) => testCase(manifest, contentOf(manifest.findings))),
    ...skipped.map((place) => testCase({ ...place, object: "document", findings: [] }, skippedElement(place))),
    "</testsuite>",
  ].join("\n");
}

function testCase(manifest: CheckedManifest, content: string): string {
  const { file, object } = manifest;
  const attributes = `classname="${xml(file)}" name="${xml(object)}"${timeOf([manifest])}`;
  return `  <testcase ${attributes}>${content}</testcase>`;
}

function contentOf(findings: readonly Finding[]): string {
  const failures = findings.filter(isError).map(({ rule, message, ...place }) => {
    const attributes = `type="${xml(rule)}" message="${attribute(message)}"`;
    return `<failure ${attributes}>${xml(placeText(place))}</failure>`;
  });
  const remarks = findings
    .filter((finding) => !isError(finding))
    .map(({ level, rule, message, ...place }) => xml(`${placeText(place)}: ${level}: ${rule}: ${message}\n`));
  const output = remarks.length === 0 ? [] : [`<system-out>${remarks.join("")}</system-out>`];
  return [...failures, ...output].join("");
}

function skippedElement({ reason, ...place }: SkippedDocument): string {
  return `<skipped message="${attribute(reason)}">${xml(placeText(place))}</skipped>`;
}

function placeText({ file, line }: ManifestPlace): string {
  return `${file}:${line}`;
}

/** Returns text as the content of an attribute, in which readers take a line break for a space. */
function attribute(text: string): string {
  return xml(text).replaceAll("\n", "&#10;");
}

/** Returns the attribute for the time of manifests; none when no time was taken. */
function timeOf(checked: readonly CheckedManifest[]): string {
  const times = checked.flatMap(({ durationMs }) => durationMs ?? []);
  const seconds = times.reduce((sum, durationMs) => sum + durationMs, 0) / 1000;
  return times.length === 0 ? "" : ` time="${seconds.toFixed(3)}"`;
}
