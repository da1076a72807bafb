import type { gatehouseauthorizationV1alpha1 } from "@gatehouse/envelopes/types";
import type { DocumentProblem } from "../document-problem/document-problem.js";

/** Returns the problems of denials whose shape has been checked; `path` is the place of the denials. */
export function denialProblems(
  denials: readonly gatehouseauthorizationV1alpha1.AccessDenial[],
  path: string,
): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const names = new Set<string>();
  for (const [index, denial] of denials.entries()) {
    const at = `${path}[${index}]`;
    const add = (member: string, text: string): void => {
      problems.push({ path: `${at}${member}`, text });
    };
    const { users = [], groups = [], apiGroups = [], resources = [], nonResourceURLs = [] } = denial;
    const { resourceNames = [], namespaces = [] } = denial;
    if (denial.name === "") {
      add(".name", "must not be empty");
    } else if (names.has(denial.name)) {
      add(".name", `${JSON.stringify(denial.name)} is taken already`);
    }
    names.add(denial.name);
    if (users.length + groups.length === 0) {
      add("", 'must say who is denied: users or groups; users: ["*"] is everybody');
    }
    if (denial.verbs.length === 0) {
      add(".verbs", 'must not be empty; "*" is every verb');
    }
    if (resources.length + nonResourceURLs.length === 0) {
      add("", "must say what is denied: resources or nonResourceURLs");
    }
    if (resources.length > 0 && apiGroups.length === 0) {
      add(".apiGroups", 'is required beside resources; "" is the core group');
    }
    if (resources.length === 0 && apiGroups.length + resourceNames.length + namespaces.length > 0) {
      add(".resources", "is required beside apiGroups, resourceNames and namespaces");
    }
    for (const [number, url] of nonResourceURLs.entries()) {
      if (url !== "*" && !url.startsWith("/")) {
        add(`.nonResourceURLs[${number}]`, "must begin with a slash");
      }
    }
  }
  return problems;
}
