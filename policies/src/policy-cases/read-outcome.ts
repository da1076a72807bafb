import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import type { CaseOutcome } from "./policy-case.js";
import type { Report } from "./report.js";

type Expected = gatehousepoliciesV1alpha1.PolicyCaseOutcome;

/** The sorts of expressions that a file evaluates. */
interface Sorts {
  readonly ofPolicies: boolean;
  readonly ofDefinitions: boolean;
}

const policyReasons = ["Invalid", "Forbidden", "Unauthorized", "RequestEntityTooLarge"];
/** Reasons of rules, and those of the schema around them. */
const ruleReasons = [
  ...["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"],
  ...["FieldValueTypeInvalid", "FieldValueNotSupported", "FieldValueTooLong", "FieldValueTooMany"],
];

/** Reads the expectation of a case. Expectations that cannot come true are reported. */
export function readOutcome(expect: Expected, sorts: Sorts, report: Report): CaseOutcome {
  const { allowed, message, reason, path, violations, skipped = false, warnings, auditAnnotations, maxCost } = expect;
  const first = {
    ...(message !== undefined && { message }),
    ...(reason !== undefined && { reason }),
    ...(path !== undefined && { path }),
  };
  checkViolation("", first, sorts, report);
  for (const [index, violation] of (violations ?? []).entries()) {
    checkViolation(`violations[${index}].`, violation, sorts, report);
  }
  checkContradictions(expect, report);
  if (skipped && sorts.ofDefinitions) {
    report("skipped", "is for policies only: rules are always evaluated");
  }
  if (maxCost !== undefined && maxCost < 0) {
    report("maxCost", "must not be negative");
  }
  return {
    allowed,
    ...(Object.keys(first).length > 0 && { first }),
    ...(violations !== undefined && { violations }),
    skipped,
    ...(warnings !== undefined && { warnings }),
    ...(auditAnnotations !== undefined && { auditAnnotations }),
    ...(maxCost !== undefined && { maxCost }),
  };
}

function checkViolation(
  prefix: string,
  { reason, path }: Pick<Expected, "reason" | "path">,
  { ofPolicies, ofDefinitions }: Sorts,
  report: Report,
): void {
  const reasons = [...(ofPolicies ? policyReasons : []), ...(ofDefinitions ? ruleReasons : [])];
  if (reason !== undefined && reasons.length > 0 && !reasons.includes(reason)) {
    report(`${prefix}reason`, `must be one of ${reasons.join(", ")}`);
  }
  if (path !== undefined && ofPolicies && !ofDefinitions) {
    report(`${prefix}path`, "is for rules of definitions only");
  }
}

/**
 * Reports members that exclude each other. Violations of an allowed request are possible: bindings may warn of them, or
 * note them in the audit log.
 */
function checkContradictions({ allowed, message, reason, path, violations, skipped }: Expected, report: Report): void {
  const ofFirst = Object.entries({ message, reason, path }).filter(([, value]) => value !== undefined);
  for (const [member] of violations === undefined ? [] : ofFirst) {
    report(member, "must not be stated beside violations");
  }
  if (!allowed && violations?.length === 0) {
    report("violations", "must not be empty for a request that is not allowed");
  }
  if (skipped === true && (!allowed || ofFirst.length > 0 || (violations?.length ?? 0) > 0)) {
    report("skipped", "must not be true where a violation is expected");
  }
}
