import { compileResourceRule, type ResourceRule } from "@gatehouse/policies/admission-expressions";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Hook } from "../hooks/hook.js";

const compiled = new WeakMap<Hook, readonly ResourceRule[]>();

/** Reports whether a server would ask the hook about a request by its rules; selectors are not looked at. */
export function matchesRules(hook: Hook, { operation, resource, subResource, namespace }: AdmissionRequest): boolean {
  const { group = "", version = "", resource: name = "" } = resource;
  const write = { operation, resource: { group, version, resource: name }, subresource: subResource, namespace };
  return rulesOf(hook).some((rule) => rule.matches(write));
}

function rulesOf(hook: Hook): readonly ResourceRule[] {
  let rules = compiled.get(hook);
  if (rules === undefined) {
    rules = hook.rules.map((rule) =>
      compileResourceRule({
        ...rule,
        operations: [...rule.operations],
        apiGroups: [...rule.apiGroups],
        apiVersions: [...rule.apiVersions],
        resources: [...rule.resources],
      }),
    );
    compiled.set(hook, rules);
  }
  return rules;
}
