import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Hook } from "../hooks/hook.js";
import type { HookRule } from "../hooks/hook-options.js";

/** Reports whether a server would ask the hook about a request by its rules; selectors are not looked at. */
export function matchesRules({ rules }: Hook, request: AdmissionRequest): boolean {
  return rules.some((rule) => matches(rule, request));
}

function matches(rule: HookRule, { operation, resource, subResource, namespace }: AdmissionRequest): boolean {
  const has = (list: readonly string[], value: string): boolean => list.includes("*") || list.includes(value);
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group ?? "") &&
    has(rule.apiVersions, resource.version ?? "") &&
    rule.resources.some((pattern) => matchesResource(pattern, resource.resource ?? "", subResource)) &&
    (rule.scope !== "Cluster" || namespace === "") &&
    (rule.scope !== "Namespaced" || namespace !== "")
  );
}

/**
 * Reports whether a resource matches a pattern: `pods`, `pods/status`, `pods/*`, `*` (all resources, no subresources),
 * `*\/*` (all), `*\/scale`.
 */
function matchesResource(pattern: string, resource: string, subResource: string): boolean {
  const [wanted = "", wantedSub = ""] = pattern.split("/");
  const isResource = wanted === "*" || wanted === resource;
  return isResource && (wantedSub === subResource || (wantedSub === "*" && pattern.includes("/")));
}
