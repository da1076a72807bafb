import {
  type AdmissionPlugin,
  applyPolicies,
  openPolicies,
  policiesAreAskedAbout,
} from "@gatehouse/apiserver/admission";
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
