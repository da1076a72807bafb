import type { gatehouseimagesV1alpha1 } from "@gatehouse/envelopes/types";
import type { DocumentProblem } from "../document-problem/document-problem.js";
import { hasHiddenPort } from "../images/image-registry.js";

/** The pattern of times: RFC 3339, as everywhere in the API. */
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const reservedNames: ReadonlySet<string> = new Set(["default", "invalid"]);

/** Returns the problems of rules whose shape has been checked. */
export function imageRulesProblems({
  rules = [],
  exceptions = [],
}: gatehouseimagesV1alpha1.ImageRules): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  const add = (path: string, text: string): void => {
    problems.push({ path, text });
  };
  const names = new Set<string>();
  const checkName = (path: string, name: string): void => {
    if (name === "" || reservedNames.has(name)) {
      add(`${path}.name`, "must be a name other than default and invalid");
    } else if (names.has(name)) {
      add(`${path}.name`, `${JSON.stringify(name)} is taken already`);
    }
    names.add(name);
  };
  const checkRegistries = (path: string, registries: readonly string[] = []): void => {
    for (const [index, pattern] of registries.entries()) {
      if (hasHiddenPort(pattern)) {
        add(`${path}.registries[${index}]`, "must not have the default port 443 behind a star: registries have none");
      }
    }
  };
  for (const [index, rule] of rules.entries()) {
    const path = `rules[${index}]`;
    checkName(path, rule.name);
    checkRegistries(path, rule.registries);
    if (rule.requireDigest === true && rule.action !== "Allow") {
      add(`${path}.requireDigest`, "makes sense with the action Allow only");
    }
  }
  for (const [index, exception] of exceptions.entries()) {
    const path = `exceptions[${index}]`;
    checkName(path, exception.name);
    checkRegistries(path, exception.registries);
    const expires = String(exception.expires);
    if (!timePattern.test(expires) || Number.isNaN(Date.parse(expires))) {
      add(`${path}.expires`, "must be a time such as 2030-01-31T00:00:00Z");
    }
    const { namespaces = [], annotation, registries = [], repositories = [], tags = [] } = exception;
    if (![namespaces, registries, repositories, tags].some((list) => list.length > 0) && !annotation) {
      add(path, "must say what it fits: namespaces, an annotation, registries, repositories or tags");
    }
    if (annotation && !/^[^/]+\.image-policy\.k8s\.io\/./.test(annotation.key)) {
      add(`${path}.annotation.key`, "must fit *.image-policy.k8s.io/*, or API servers do not tell of it");
    }
  }
  return problems;
}
