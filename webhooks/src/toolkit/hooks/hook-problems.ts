import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import type { HookRule, MutatingHookOptions } from "./hook-options.js";
import { matchConditionProblems } from "./match-condition-problems.js";

/** Returns, as sentences, the parts of a declaration that an API server would refuse or that contradict each other. */
export function hookProblems(options: MutatingHookOptions): string[] {
  const problems = validateDns1123Subdomain(options.name).map((problem) => `name: ${problem}`);
  if (problems.length === 0 && options.name.split(".").length < 3) {
    problems.push("name: should be a domain with at least three segments separated by dots");
  }
  const { rules, timeoutSeconds = 10, matchConditions = [] } = options;
  if (options.workloads === true && rules !== undefined) {
    problems.push("rules: workloads says already which resources there are; give one of the two");
  }
  if (options.workloads !== true && (rules === undefined || rules.length === 0)) {
    problems.push("rules: without one the hook would never be called");
  }
  for (const [index, rule] of (rules ?? []).entries()) {
    problems.push(...ruleProblems(rule).map((problem) => `rules[${index}].${problem}`));
  }
  if (!Number.isInteger(timeoutSeconds) || timeoutSeconds < 1 || timeoutSeconds > 30) {
    problems.push("timeoutSeconds: must be a whole number between 1 and 30");
  }
  problems.push(...matchConditionProblems(matchConditions));
  return problems;
}

function ruleProblems(rule: HookRule): string[] {
  const problems: string[] = [];
  for (const member of ["operations", "apiGroups", "apiVersions", "resources"] as const) {
    const values: readonly string[] = rule[member];
    if (values.length === 0) {
      problems.push(`${member}: is required`);
    }
    if (values.length > 1 && values.includes("*") && member !== "resources") {
      problems.push(`${member}: if '*' is present, must not specify other ${member}`);
    }
    if (values.some((value) => value === "" && member !== "apiGroups")) {
      problems.push(`${member}: must not hold an empty text`);
    }
  }
  return problems;
}
