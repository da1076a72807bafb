import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { isSameDocument } from "@gatehouse/envelopes/json-patch";
import type { CaseOutcome } from "@gatehouse/policies/policy-cases";
import type { PolicyOutcome } from "../policies/policy-outcome.js";

const failureKey = "validation.policy.admission.k8s.io/validation_failure";

/** Lists the differences between an outcome and the expected one, as sentences. Members that are not stated are not compared. */
export function compareOutcome(expect: CaseOutcome, outcome: PolicyOutcome, cost: number): readonly string[] {
  const { allowed, violations, warnings, annotations, denial, evaluated, missing } = outcome;
  if (missing.length > 0) {
    return [`not evaluated: ${missing.join(", ")} is not available`];
  }
  const wasSkipped = evaluated.size === 0 && denial === undefined;
  if (wasSkipped !== expect.skipped) {
    return [
      wasSkipped
        ? "no policy was evaluated: constraints, bindings or match conditions exclude the request"
        : `skipped: expected true, but evaluated ${[...evaluated].join(", ") || "a policy"}`,
    ];
  }
  const [first] = violations;
  const failures: string[] = [];
  const compare = (what: string, expected: unknown, actual: unknown): void => {
    if (expected !== undefined && !isSameDocument(expected as JsonValue, (actual ?? null) as JsonValue)) {
      failures.push(`${what}: expected ${show(expected)}, was ${show(actual)}`);
    }
  };
  compare("allowed", expect.allowed, allowed);
  if (expect.allowed && !allowed && expect.first === undefined && expect.violations === undefined) {
    failures.push(...violations.map(({ policy, message }) => `denied by ${policy}: ${message}`));
  }
  compare("message", expect.first?.message, first?.message);
  compare("reason", expect.first?.reason, first?.reason);
  compare("path", expect.first?.path, first?.path);
  compare(
    "violations",
    expect.violations,
    expect.violations &&
      violations.map(({ message, reason, path }, index) => ({
        message,
        ...(expect.violations?.[index]?.reason !== undefined && { reason }),
        ...(expect.violations?.[index]?.path !== undefined && path !== undefined && { path }),
      })),
  );
  compare("warnings", expect.warnings, warnings);
  compare("auditAnnotations", expect.auditAnnotations, shownAnnotations(annotations, expect.auditAnnotations));
  if (expect.maxCost !== undefined && cost > expect.maxCost) {
    failures.push(`cost: expected at most ${expect.maxCost}, was ${cost}`);
  }
  return failures;
}

/** Returns annotations without the one that bindings with the action Audit add, unless it is expected. */
function shownAnnotations(
  annotations: Readonly<Record<string, string>>,
  expected: CaseOutcome["auditAnnotations"] = {},
): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => key !== failureKey || Object.hasOwn(expected, key)),
  );
}

function show(value: unknown): string {
  return value === undefined ? "none" : encodeJson(value as JsonObject);
}
