import { policiesAreAskedAbout } from "@gatehouse/policies/admission-expressions";
import type { AdmissionPlugin } from "../admission-plugin.js";
import { applyPolicies, openPolicies, type PolicyParts } from "../policies/open-policies.js";

/** The parts that ValidatingAdmissionPolicy is made of. */
export interface PolicyPluginParts extends PolicyParts {
  readonly features: { enabled(name: string): boolean };
}

/**
 * ValidatingAdmissionPolicy: the expressions of ValidatingAdmissionPolicies may refuse what is written, warn of it and note
 * it in the audit event. Does nothing unless the feature of that name is on.
 */
export function validatingAdmissionPolicy(parts: PolicyPluginParts): AdmissionPlugin {
  const name = "ValidatingAdmissionPolicy";
  if (!parts.features.enabled(name)) {
    return { name };
  }
  const dispatch = openPolicies(parts);
  return { name, concerns: policiesAreAskedAbout, validate: (attributes) => applyPolicies(dispatch, attributes) };
}
