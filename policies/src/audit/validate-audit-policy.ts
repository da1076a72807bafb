import { type FieldError, fieldError } from "@gatehouse/envelopes/status";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { auditLevels, auditStages } from "./audit-level.js";

/** Returns the errors that v1.29 finds in a policy whose shape is right, with its paths and texts, in its order. */
export function auditPolicyErrors(policy: auditV1.Policy): readonly FieldError[] {
  const rules = policy.rules.flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`));
  return [...stageErrors(policy.omitStages, "omitStages"), ...rules];
}

function ruleErrors(rule: auditV1.PolicyRule, path: string): readonly FieldError[] {
  const { level, nonResourceURLs = [], resources = [], namespaces = [], omitStages } = rule;
  const paths = `${path}.nonResourceURLs`;
  const errors = [
    ...levelErrors(level, `${path}.level`),
    ...nonResourceUrlErrors(nonResourceURLs, paths),
    ...resources.flatMap((each) => resourceErrors(each, `${path}.resources`)),
    ...stageErrors(omitStages, `${path}.omitStages`),
  ];
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    const detail = "rules cannot apply to both regular resources and non-resource URLs";
    errors.push(fieldError.invalid(paths, [...nonResourceURLs], detail));
  }
  return errors;
}

function levelErrors(level: string | undefined, path: string): readonly FieldError[] {
  if (level === undefined || level === "") {
    return [fieldError.required(path)];
  }
  const known: readonly string[] = auditLevels;
  return known.includes(level) ? [] : [fieldError.notSupported(path, level, auditLevels)];
}

function nonResourceUrlErrors(urls: readonly string[], path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, url] of urls.entries()) {
    if (url === "*") {
      continue;
    }
    const at = `${path}[${index}]`;
    if (!url.startsWith("/")) {
      errors.push(fieldError.invalid(at, url, "non-resource URL rules must begin with a '/' character"));
    }
    if (url.slice(0, -1).includes("*")) {
      errors.push(
        fieldError.invalid(at, url, "non-resource URL wildcards '*' must be the final character of the rule"),
      );
    }
  }
  return errors;
}

/** Returns the errors of one group of resources. As in v1.29, they do not name the resource concerned. */
function resourceErrors(
  { group = "", resources = [], resourceNames = [] }: auditV1.GroupResources,
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const problems = group === "" ? [] : validateDns1123Subdomain(group);
  if (problems.length > 0) {
    errors.push(fieldError.invalid(`${path}.group`, group, problems.join(",")));
  }
  if (resourceNames.length > 0 && resources.length === 0) {
    const detail = "using resourceNames requires at least one resource";
    errors.push(fieldError.invalid(`${path}.resourceNames`, [...resourceNames], detail));
  }
  return errors;
}

function stageErrors(stages: readonly string[] | undefined, path: string): readonly FieldError[] {
  const known: readonly string[] = auditStages;
  return (stages ?? []).flatMap((stage, index) =>
    known.includes(stage)
      ? []
      : [fieldError.invalid(`${path}[${index}]`, stage, `allowed stages are ${auditStages.join(",")}`)],
  );
}
