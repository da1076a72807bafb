import { type AdmissionPlugin, applyPolicies, openPolicies } from "@gatehouse/apiserver/admission";
import { policiesAreAskedAbout } from "@gatehouse/policies/admission-expressions";
import type { PluginParts } from "./plugin-parts.js";

/**
 * ValidatingAdmissionPolicy: the expressions of ValidatingAdmissionPolicies may refuse what is written, warn of it and note
 * it in the audit event. Does nothing unless the feature of that name is on.
 */
export function validatingAdmissionPolicy(parts: PluginParts): AdmissionPlugin {
  const name = "ValidatingAdmissionPolicy";
  if (!parts.features.enabled(name)) {
    return { name };
  }
  const dispatch = openPolicies(parts);
  return { name, concerns: policiesAreAskedAbout, validate: (attributes) => applyPolicies(dispatch, attributes) };
}
