import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StatusError } from "@gatehouse/envelopes/status";
import type { rbacV1 } from "@gatehouse/envelopes/types";
import { policyRulesOf, ruleAllows } from "@gatehouse/policies/rbac";
import { openAdmissionReviewReader } from "../../../toolkit/review/admission-review.js";
import { applyPolicies, type PolicyViolation } from "../../../toolkit/testing/apply-policies.js";
import { givenWrite, type TestAuthorizer } from "../../../toolkit/testing/given-write.js";
import { PolicyObjects } from "../../../toolkit/testing/policy-objects.js";
import type { PolicySet } from "../../../toolkit/testing/policy-set.js";

/** A validation that was false, or a rule or a part of the schema of a definition that is broken. */
export interface Violation extends PolicyViolation {
  /** The path of the field that a rule or schema names; empty for the object itself. Undefined for policies. */
  readonly path?: string;
}

/** The outcome of policies and definitions for one request. */
export interface PolicyOutcome {
  readonly allowed: boolean;
  /** The first denial; undefined for a request that is allowed. */
  readonly denial: StatusError | undefined;
  /** The policy or definition that has denied first. */
  readonly deniedBy: string | undefined;
  /** All violations in their order, whatever their bindings do with them. */
  readonly violations: readonly Violation[];
  /**
   * Names of the policies that were evaluated, whose constraints and match conditions let the request through, and of the
   * definition of the object.
   */
  readonly evaluated: ReadonlySet<string>;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  /** Nouns of what policies have asked for that is not available: then the outcome is not that of a server. */
  readonly missing: readonly string[];
}

/** The outcome of a request that nothing was asked about. */
export const unaskedOutcome: PolicyOutcome = {
  allowed: true,
  denial: undefined,
  deniedBy: undefined,
  violations: [],
  evaluated: new Set(),
  warnings: [],
  annotations: {},
  missing: [],
};

/** Returns the outcome of a request that one judge has allowed, and another one was asked about afterwards. */
export function outcomeOfBoth(first: PolicyOutcome, second: PolicyOutcome): PolicyOutcome {
  return {
    ...second,
    violations: [...first.violations, ...second.violations],
    evaluated: new Set([...first.evaluated, ...second.evaluated]),
    warnings: [...first.warnings, ...second.warnings],
  };
}

/** Policies in the order of their names, and their bindings. */
export type AppliedPolicies = Pick<PolicySet, "policies" | "bindings">;

/** A request, and what its policies read. */
export interface PolicyRequest {
  /** An AdmissionReview. */
  readonly review: JsonObject;
  /** Parameters and namespaces. */
  readonly objects: readonly JsonObject[];
  /** Absent where no answer is available. */
  readonly authorizer?: TestAuthorizer;
}

/** Puts a request to policies as a server does, without one. Throws BadObjectError for a request that no server makes. */
export async function outcomeOf(policies: AppliedPolicies, request: PolicyRequest): Promise<PolicyOutcome> {
  const reader = await openAdmissionReviewReader(["v1"]);
  const read = reader.read(request.review);
  const review = request.review["request"] as JsonObject;
  const { authorizer } = request;
  const verdicts = await applyPolicies(policies, new PolicyObjects(request.objects), () =>
    givenWrite({ request: read, review, authorizer }),
  );
  const first = verdicts.find(({ denial }) => denial !== undefined);
  return {
    allowed: first === undefined,
    denial: first?.denial,
    deniedBy: first?.policy,
    violations: verdicts.flatMap(({ violations }) => violations),
    evaluated: new Set(verdicts.filter(({ outcome }) => outcome !== "excluded").map(({ policy }) => policy)),
    warnings: verdicts.flatMap(({ warnings }) => warnings),
    // Of two policies that annotate under one key, the first counts.
    annotations: Object.assign({}, ...verdicts.map(({ auditAnnotations }) => auditAnnotations).reverse()),
    missing: [...new Set(verdicts.flatMap(({ missing }) => missing))],
  };
}

/** Returns an authorizer by which a user has the rights of rules in all namespaces. Service accounts have none. */
export function accessOfRules(rules: readonly rbacV1.PolicyRule[]): TestAuthorizer {
  const read = policyRulesOf({ rules });
  const noResource = { group: "", resource: "", subresource: "", namespace: "", name: "" };
  return (question) => {
    const { verb, serviceAccount } = question;
    const access = question.isResource
      ? { ...question, isResourceRequest: true, path: "" }
      : { ...noResource, verb, isResourceRequest: false, path: question.path };
    return serviceAccount === undefined && read.some((rule) => ruleAllows(rule, access));
  };
}
