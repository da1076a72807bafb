import { isJsonObject, textAt } from "@gatehouse/envelopes/json";
import type { PolicyVerdict } from "../../../toolkit/testing/apply-policies.js";

/** Returns the message that a policy leaves in the audit event about a validation that fails; undefined for none. */
export function auditedFailure({ auditAnnotations }: PolicyVerdict): string | undefined {
  const text = auditAnnotations["validation.policy.admission.k8s.io/validation_failure"];
  const [failure] = text === undefined ? [] : (JSON.parse(text) as unknown[]);
  return isJsonObject(failure) ? textAt(failure, "message") : undefined;
}
