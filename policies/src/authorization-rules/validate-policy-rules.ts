import type { rbacV1 } from "@gatehouse/envelopes/types";
import type { DocumentProblem } from "../document-problem/document-problem.js";

/** Returns the violations of the API's demands on the rules of a role (v1.29). `path` is the place of the rules. */
export function policyRuleProblems(
  rules: readonly rbacV1.PolicyRule[],
  path: string,
  isNamespaced: boolean,
): readonly DocumentProblem[] {
  return rules.flatMap((rule, index) => {
    const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    const at = `${path}[${index}]`;
    const problems: DocumentProblem[] = [];
    if (verbs.length === 0) {
      problems.push({ path: `${at}.verbs`, text: "must not be empty" });
    }
    if (nonResourceURLs.length > 0) {
      if (isNamespaced) {
        problems.push({ path: `${at}.nonResourceURLs`, text: "must not be there: such paths are in no namespace" });
      }
      if (apiGroups.length + resources.length + resourceNames.length > 0) {
        problems.push({ path: `${at}.nonResourceURLs`, text: "must not stand beside resources" });
      }
      return problems;
    }
    if (apiGroups.length === 0) {
      problems.push({ path: `${at}.apiGroups`, text: "must not be empty" });
    }
    if (resources.length === 0) {
      problems.push({ path: `${at}.resources`, text: "must not be empty" });
    }
    return problems;
  });
}
