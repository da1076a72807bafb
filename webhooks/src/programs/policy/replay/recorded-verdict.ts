import { isJsonObject } from "@gatehouse/envelopes/json";
import type { auditV1 } from "@gatehouse/envelopes/types";

/** The verdict of policies as an event tells it. */
export type RecordedVerdict =
  | { readonly kind: "allowed"; readonly audited: ReadonlySet<string> }
  | { readonly kind: "denied"; readonly policy: string; readonly audited: ReadonlySet<string> }
  /** The request was refused by something else, before policies or after them. */
  | { readonly kind: "refused"; readonly code: number };

/** The annotation of violations of which bindings note in the audit event. */
export const failureKey = "validation.policy.admission.k8s.io/validation_failure";

const denial = /ValidatingAdmissionPolicy '(.*?)'(?: with binding '.*?')? denied request: /;

/** Reads the verdict of policies from an event. */
export function recordedVerdict({ responseStatus, annotations }: auditV1.Event): RecordedVerdict {
  const code = responseStatus?.code ?? 0;
  const audited = auditedPolicies(annotations?.[failureKey]);
  if (code >= 200 && code < 300) {
    return { kind: "allowed", audited };
  }
  const policy = denial.exec(responseStatus?.message ?? "")?.[1];
  return policy === undefined ? { kind: "refused", code } : { kind: "denied", policy, audited };
}

/** Returns the policies of an annotation of violations. */
export function auditedPolicies(annotation: string | undefined): ReadonlySet<string> {
  let failures: unknown;
  try {
    failures = annotation === undefined ? [] : JSON.parse(annotation);
  } catch {
    failures = [];
  }
  const list: readonly unknown[] = Array.isArray(failures) ? failures : [];
  return new Set(list.filter(isJsonObject).map(({ policy }) => String(policy)));
}
