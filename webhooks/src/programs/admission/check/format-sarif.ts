import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { version } from "@gatehouse/component-base/version";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import type { HookRule } from "../../../toolkit/hooks/hook-options.js";
import { type CheckReport, type Finding, type ManifestPlace, manifestRule } from "./check-report.js";

/** Writes a report as SARIF 2.1.0, which the code scanning of GitHub reads. */
export function formatSarif({ hooks, policies, definitions, skipped, findings }: CheckReport): string {
  const rules = [
    manifestDescription,
    ...hooks.map(hookDescription),
    ...policies.map(policyDescription),
    ...definitions.map(definitionDescription),
  ];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "gatehouse-admission", version, rules } },
        results: [...findings.map(findingResult), ...skipped.map(skippedResult)],
      },
    ],
  };
  return JSON.stringify(log, undefined, 2);
}

const manifestDescription = describeRule(
  manifestRule,
  "Manifests that an API server can take",
  "Finds documents that are not valid YAML, have no apiVersion or kind, are of a kind that there is not, or have fields that their kind does not have or of another type.",
);

function hookDescription({ name, type, rules }: Hook): object {
  const text = `The ${type} admission hook ${name}, which is asked about: ${rules.map(describeMatch).join("; ")}.`;
  return describeRule(name, `Admission hook ${name}`, text);
}

function policyDescription(name: string): object {
  return describeRule(name, `Admission policy ${name}`, `The ValidatingAdmissionPolicy ${name}, by its bindings.`);
}

function definitionDescription(name: string): object {
  const text = `The CustomResourceDefinition ${name}, by its schema and the rules in it.`;
  return describeRule(name, `Custom resources of ${name}`, text);
}

function describeRule(id: string, short: string, full: string): object {
  return { id, name: id, shortDescription: { text: short }, fullDescription: { text: full }, help: { text: full } };
}

function describeMatch({ operations, apiGroups, resources }: HookRule): string {
  const groups = apiGroups.map((group) => (group === "" ? "the core group" : group));
  return `${operations.join(", ")} of ${resources.join(", ")} in ${groups.join(", ")}`;
}

function findingResult({ object, level, rule, message, ...place }: Finding): object {
  return { ruleId: rule, level, message: { text: `${object}: ${message}` }, locations: [location(place)] };
}

function skippedResult(place: ManifestPlace): object {
  const text = "The document has neither apiVersion nor kind, so it was not checked.";
  return { ruleId: manifestRule, level: "note", message: { text }, locations: [location(place)] };
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
