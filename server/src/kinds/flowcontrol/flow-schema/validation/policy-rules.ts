import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, type JsonValue, listAt, textsAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { nonResourceUrlProblem } from "./non-resource-url.js";
import { validateSubject } from "./subject.js";

const supportedVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

/** Validates the rules of a flow schema: subjects and their requests. */
export function validatePolicyRules(rules: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const subjects = listAt(rules, "subjects");
  if (subjects.length === 0) {
    errors.required(path.child("subjects"), "subjects must contain at least one value");
  }
  validateEach(subjects, path.child("subjects"), errors, validateSubject);
  const resourceRules = listAt(rules, "resourceRules");
  const nonResourceRules = listAt(rules, "nonResourceRules");
  if (resourceRules.length + nonResourceRules.length === 0) {
    errors.required(path, "at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  validateEach(resourceRules, path.child("resourceRules"), errors, validateResourceRule);
  validateEach(nonResourceRules, path.child("nonResourceRules"), errors, validateNonResourceRule);
}

function validateEach(
  items: readonly JsonValue[],
  path: FieldPath,
  errors: FieldErrors,
  check: (item: JsonValue, path: FieldPath, errors: FieldErrors) => void,
): void {
  for (const [index, item] of items.entries()) {
    if (errors.isFull) {
      return;
    }
    check(item, path.index(index), errors);
  }
}

function validateResourceRule(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  validateVerbs(textsAt(rule, "verbs"), path.child("verbs"), errors);
  validateNames(textsAt(rule, "apiGroups"), "api group", path.child("apiGroups"), errors);
  validateNames(textsAt(rule, "resources"), "resource", path.child("resources"), errors);
  const namespaces = textsAt(rule, "namespaces");
  if (namespaces.length === 0 && !booleanAt(rule, "clusterScope")) {
    const detail = "resource rules that are not cluster scoped must supply at least one namespace";
    errors.required(path.child("namespaces"), detail);
  } else if (!validateWildcard(namespaces, "namespaces", path.child("namespaces"), errors)) {
    validateNamespaces(namespaces, path.child("namespaces"), errors);
  }
}

function validateNonResourceRule(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  validateVerbs(textsAt(rule, "verbs"), path.child("verbs"), errors);
  const urls = textsAt(rule, "nonResourceURLs");
  const urlsPath = path.child("nonResourceURLs");
  if (urls.length === 0) {
    errors.required(urlsPath, "nonResourceURLs must contain at least one value");
    return;
  }
  if (validateWildcard(urls, "non-resource URLs", urlsPath, errors)) {
    return;
  }
  for (const [index, url] of urls.entries()) {
    const problem = nonResourceUrlProblem(url);
    if (problem !== undefined) {
      errors.invalid(urlsPath.index(index), url, problem);
    }
    if (errors.isFull) {
      return;
    }
  }
}

function validateVerbs(verbs: string[], path: FieldPath, errors: FieldErrors): void {
  if (verbs.length === 0) {
    errors.required(path, "verbs must contain at least one value");
  } else if (!validateWildcard(verbs, "verbs", path, errors) && verbs.some((verb) => !supportedVerbs.includes(verb))) {
    errors.notSupported(path, verbs, supportedVerbs);
  }
}

function validateNames(names: string[], what: string, path: FieldPath, errors: FieldErrors): void {
  if (names.length === 0) {
    errors.required(path, `resource rules must supply at least one ${what}`);
  } else {
    validateWildcard(names, `${what}s`, path, errors);
  }
}

/** Reports whether names include `*`, and adds an error if they include anything else. */
function validateWildcard(names: string[], what: string, path: FieldPath, errors: FieldErrors): boolean {
  if (!names.includes("*")) {
    return false;
  }
  if (names.length > 1) {
    errors.invalid(path, names, `if '*' is present, must not specify other ${what}`);
  }
  return true;
}

function validateNamespaces(namespaces: readonly string[], path: FieldPath, errors: FieldErrors): void {
  for (const [index, namespace] of namespaces.entries()) {
    if (errors.isFull) {
      return;
    }
    for (const problem of validateDns1123Label(namespace)) {
      const detail = `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
      errors.invalid(path.index(index), namespace, detail);
    }
  }
}
