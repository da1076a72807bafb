import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { booleanAt, type JsonValue, listAt, textsAt } from "@gatehouse/envelopes/json";
import { checkDns1123Label } from "@gatehouse/envelopes/validation";
import { nonResourceUrlProblem } from "./non-resource-url.js";
import { checkSubject } from "./subject.js";

const supportedVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

/** Validates the rules of a flow schema: subjects and their requests. */
export function checkPolicyRules(rules: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const subjects = listAt(rules, "subjects");
  if (subjects.length === 0) {
    errors.required(path.child("subjects"), "subjects must contain at least one value");
  }
  checkEach(subjects, path.child("subjects"), errors, checkSubject);
  const resourceRules = listAt(rules, "resourceRules");
  const nonResourceRules = listAt(rules, "nonResourceRules");
  if (resourceRules.length + nonResourceRules.length === 0) {
    errors.required(path, "at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  checkEach(resourceRules, path.child("resourceRules"), errors, checkResourceRule);
  checkEach(nonResourceRules, path.child("nonResourceRules"), errors, checkNonResourceRule);
}

function checkEach(
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

function checkResourceRule(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  checkVerbs(textsAt(rule, "verbs"), path.child("verbs"), errors);
  checkNames(textsAt(rule, "apiGroups"), "api group", path.child("apiGroups"), errors);
  checkNames(textsAt(rule, "resources"), "resource", path.child("resources"), errors);
  const namespaces = textsAt(rule, "namespaces");
  if (namespaces.length === 0 && !booleanAt(rule, "clusterScope")) {
    const detail = "resource rules that are not cluster scoped must supply at least one namespace";
    errors.required(path.child("namespaces"), detail);
  } else if (!checkWildcard(namespaces, "namespaces", path.child("namespaces"), errors)) {
    checkNamespaces(namespaces, path.child("namespaces"), errors);
  }
}

function checkNonResourceRule(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  checkVerbs(textsAt(rule, "verbs"), path.child("verbs"), errors);
  const urls = textsAt(rule, "nonResourceURLs");
  const urlsPath = path.child("nonResourceURLs");
  if (urls.length === 0) {
    errors.required(urlsPath, "nonResourceURLs must contain at least one value");
    return;
  }
  if (checkWildcard(urls, "non-resource URLs", urlsPath, errors)) {
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

function checkVerbs(verbs: string[], path: FieldPath, errors: FieldErrors): void {
  if (verbs.length === 0) {
    errors.required(path, "verbs must contain at least one value");
  } else if (!checkWildcard(verbs, "verbs", path, errors) && verbs.some((verb) => !supportedVerbs.includes(verb))) {
    errors.notSupported(path, verbs, supportedVerbs);
  }
}

function checkNames(names: string[], what: string, path: FieldPath, errors: FieldErrors): void {
  if (names.length === 0) {
    errors.required(path, `resource rules must supply at least one ${what}`);
  } else {
    checkWildcard(names, `${what}s`, path, errors);
  }
}

/** Reports whether names include `*`, and adds an error if they include anything else. */
function checkWildcard(names: string[], what: string, path: FieldPath, errors: FieldErrors): boolean {
  if (!names.includes("*")) {
    return false;
  }
  if (names.length > 1) {
    errors.invalid(path, names, `if '*' is present, must not specify other ${what}`);
  }
  return true;
}

function checkNamespaces(namespaces: readonly string[], path: FieldPath, errors: FieldErrors): void {
  for (const [index, namespace] of namespaces.entries()) {
    if (errors.isFull) {
      return;
    }
    for (const problem of checkDns1123Label(namespace)) {
      const detail = `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
      errors.invalid(path.index(index), namespace, detail);
    }
  }
}
