import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import type { PolicyCase, PolicyCaseFile, PolicyCaseProblem } from "./policy-case.js";
import { readOutcome } from "./read-outcome.js";
import { readRequest } from "./read-request.js";
import type { Report } from "./report.js";

/** The names that cases may evaluate: those that were found beside them. */
export interface CaseSubjects {
  /** Names of ValidatingAdmissionPolicies. */
  readonly policies: ReadonlySet<string>;
  /** Names of CustomResourceDefinitions. */
  readonly definitions: ReadonlySet<string>;
}

/**
 * Reads files of cases, whose shape has been checked. Returns the cases that can be run, and the problems of all others
 * in all files at once.
 */
export function readPolicyCases(
  files: readonly PolicyCaseFile[],
  subjects: CaseSubjects,
): { readonly cases: readonly PolicyCase[]; readonly problems: readonly PolicyCaseProblem[] } {
  const cases: PolicyCase[] = [];
  const problems: PolicyCaseProblem[] = [];
  for (const { file, content } of files) {
    const report: Report = (path, text) => problems.push({ file, path, text });
    checkSubjects(content, subjects, report);
    if (content.cases.length === 0) {
      report("cases", "must have a case");
    }
    const names = new Set<string>();
    for (const [index, { name }] of content.cases.entries()) {
      const path = `cases[${index}]`;
      const problemsBefore = problems.length;
      if (name === "" || names.has(name)) {
        report(`${path}.name`, name === "" ? "must not be empty" : `${JSON.stringify(name)} is taken already`);
      }
      names.add(name);
      const read = readCase(content, index, (member, text) => report(`${path}.${member}`, text));
      if (read !== undefined && problems.length === problemsBefore) {
        cases.push({ ...read, file, path });
      }
    }
  }
  return { cases, problems };
}

function checkSubjects(
  { policies = [], definitions = [] }: gatehousepoliciesV1alpha1.PolicyCases,
  known: CaseSubjects,
  report: Report,
): void {
  if (policies.length + definitions.length === 0) {
    report("policies", "must name a policy, or definitions a definition");
  }
  const check = (member: "policies" | "definitions", names: readonly string[], kind: string): void => {
    for (const [index, name] of names.entries()) {
      if (!known[member].has(name)) {
        report(`${member}[${index}]`, `there is no ${kind} ${JSON.stringify(name)}`);
      }
    }
  };
  check("policies", policies, "ValidatingAdmissionPolicy");
  check("definitions", definitions, "CustomResourceDefinition");
}

function readCase(
  { policies = [], definitions = [], objects = {}, cases }: gatehousepoliciesV1alpha1.PolicyCases,
  index: number,
  report: Report,
): Omit<PolicyCase, "file" | "path"> | undefined {
  const { name, given, expect } = cases[index] as gatehousepoliciesV1alpha1.PolicyCase;
  const below =
    (part: string): Report =>
    (path, text) =>
      report(path === "" ? part : `${part}.${path}`, text);
  if (given.params !== undefined && policies.length === 0) {
    report("given.params", "are for policies only");
  }
  const sorts = { ofPolicies: policies.length > 0, ofDefinitions: definitions.length > 0 };
  const request = readRequest(given, objects, below("given"));
  const outcome = readOutcome(expect, sorts, below("expect"));
  return request && { name, policies, definitions, given: request, expect: outcome };
}
