import type { auditV1 } from "@gatehouse/envelopes/types";
import type { AuditAttributes, AuditedRequest } from "./audit-attributes.js";
import type { AuditLevel, AuditStage } from "./audit-level.js";
import { nonResourceRules } from "./non-resource-rules.js";
import { matchesResources, resourceRules } from "./resource-rules.js";
import { firstCommonRule, type RuleSet } from "./rule-set.js";
import { populated, RulesByValue } from "./rules-by-value.js";

/** The verdict of a policy about a request. There is one object per rule, so that it can be compared by identity. */
export interface AuditVerdict {
  readonly level: AuditLevel;
  /** Stages without an event: those of the policy and those of the rule. */
  readonly omitStages: ReadonlySet<AuditStage>;
  /** True if managedFields are left out of recorded bodies. */
  readonly omitManagedFields: boolean;
  /** Index of the rule that matched; -1 if none did, and the level is None. */
  readonly rule: number;
}

/** A compiled policy, which decides about many requests. */
export interface CompiledAuditPolicy {
  /** Returns the verdict of the first rule that matches; if none does, nothing is recorded. */
  readonly evaluate: (attributes: AuditAttributes) => AuditVerdict;
  /** Verdicts by index of the rule. */
  readonly verdicts: readonly AuditVerdict[];
}

/**
 * Compiles a checked policy: the conditions of its rules are indexed by value once, so that a request looks its values
 * up and does not try one rule after the other. A few lookups and a handful of words per hundred rules decide.
 */
export function compileAuditPolicy(policy: auditV1.Policy): CompiledAuditPolicy {
  const { rules } = policy;
  const verdicts = rules.map((rule, index) => verdictOf(policy, rule, index));
  const noMatch = verdictOf(policy, { level: "None" }, -1);
  const byUser = new RulesByValue(rules.map(({ users }) => populated(users)));
  const byGroup = new RulesByValue(rules.map(({ userGroups }) => populated(userGroups)));
  const byVerb = new RulesByValue(rules.map(({ verbs }) => populated(verbs)));
  const byNamespace = new RulesByValue(rules.map(({ namespaces }) => populated(namespaces)));
  const ofResource = resourceRules(rules);
  const ofPath = nonResourceRules(rules);
  const naming = rulesWithNames(rules);

  const setsFor = ({ user, request }: AuditAttributes): readonly RuleSet[] => {
    const common = [
      byVerb.accepting(request.verb),
      byUser.accepting(user?.username),
      user === undefined ? byGroup.accepting(undefined) : byGroup.acceptingAnyOf(user.groups),
    ];
    return request.isResourceRequest
      ? [...common, byNamespace.accepting(request.namespace), ofResource(request)]
      : [...common, ofPath(request.path)];
  };
  return {
    verdicts,
    evaluate: (attributes) => {
      const { request } = attributes;
      const accepts = (index: number): boolean => !naming.has(index) || isNamedBy(rules[index], request);
      return verdicts[firstCommonRule(setsFor(attributes), accepts)] ?? noMatch;
    },
  };
}

/**
 * Returns the rules with names of objects. Names belong to resources of one group, so that these rules are evaluated
 * unindexed.
 */
function rulesWithNames(rules: readonly auditV1.PolicyRule[]): ReadonlySet<number> {
  const named = rules.flatMap(({ resources = [] }, index) =>
    resources.some(({ resourceNames = [] }) => resourceNames.length > 0) ? [index] : [],
  );
  return new Set(named);
}

function isNamedBy(rule: auditV1.PolicyRule | undefined, request: AuditedRequest): boolean {
  // What remains after the sets, and has no resources to name, applies to paths.
  return !request.isResourceRequest || matchesResources(rule?.resources ?? [], request);
}

function verdictOf(policy: auditV1.Policy, rule: auditV1.PolicyRule, index: number): AuditVerdict {
  const omitStages = new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]) as ReadonlySet<AuditStage>;
  const omitManagedFields = rule.omitManagedFields ?? policy.omitManagedFields ?? false;
  return Object.freeze({ level: rule.level as AuditLevel, omitStages, omitManagedFields, rule: index });
}
