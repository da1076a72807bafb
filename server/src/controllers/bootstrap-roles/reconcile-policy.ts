import {
  isJsonObject,
  isSameJson,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  ownObject,
  textAt,
} from "@gatehouse/envelopes/json";
import { type PolicyRule, policyRulesOf, uncoveredRules } from "@gatehouse/policies/rbac";

const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

/** Reports cheaply whether an object has the expected members in the same order: most have, at most starts. */
export function isAsExpected(existing: JsonObject, expected: JsonObject): boolean {
  return (
    comparedMembers.every((member) => isSameJson(existing[member], expected[member])) &&
    (["labels", "annotations"] as const).every((member) => {
      const present = objectAt(existing, "metadata", member);
      return Object.keys(objectAt(expected, "metadata", member)).every((key) => Object.hasOwn(present, key));
    })
  );
}

const comparedMembers = ["rules", "aggregationRule", "roleRef", "subjects"] as const;

/**
 * Returns an existing role with the expected rules, labels, annotations and selectors that it lacks (v1.29: additions
 * by others stay). Undefined when there is nothing to do, or the role is protected.
 */
export function reconciledRole(existing: JsonObject, expected: JsonObject): JsonObject | undefined {
  if (isProtected(existing)) {
    return undefined;
  }
  const role = withMetadata(existing, expected);
  const missing = missingRules(existing, expected);
  if (missing.length > 0) {
    role["rules"] = [...listAt(existing, "rules"), ...missing.map(ruleObject)];
  }
  const wanted = selectors(expected);
  if (wanted === undefined) {
    delete role["aggregationRule"];
  } else {
    const present = selectors(existing) ?? [];
    const lacking = wanted.filter((selector) => !present.some((known) => isSameJson(known, selector)));
    if (lacking.length > 0 || selectors(existing) === undefined) {
      role["aggregationRule"] = { clusterRoleSelectors: [...present, ...lacking] };
    }
  }
  return isSameJson(role, existing) ? undefined : role;
}

/**
 * Returns the action for an existing binding: `recreate` when it is to another role, since a role reference cannot be
 * changed.
 */
export function reconciledBinding(
  existing: JsonObject,
  expected: JsonObject,
): { readonly action: "none" | "recreate" } | { readonly action: "update"; readonly binding: JsonObject } {
  if (!isSameJson(existing["roleRef"], expected["roleRef"])) {
    return isProtected(existing) ? { action: "none" } : { action: "recreate" };
  }
  if (isProtected(existing)) {
    return { action: "none" };
  }
  const binding = withMetadata(existing, expected);
  const present = listAt(existing, "subjects");
  const missing = listAt(expected, "subjects").filter((subject) => !present.some((known) => isSame(known, subject)));
  if (missing.length > 0) {
    binding["subjects"] = [...present, ...missing] as JsonArray;
  }
  return isSameJson(binding, existing) ? { action: "none" } : { action: "update", binding };
}

/** Reports whether the annotation of an object excludes it from changes at start. */
function isProtected(object: JsonObject): boolean {
  return textAt(object, "metadata", "annotations", autoUpdate) === "false";
}

/** Copies an existing object and adds the expected labels and annotations that it lacks. */
function withMetadata(existing: JsonObject, expected: JsonObject): JsonObject {
  const copy = structuredClone(existing);
  const metadata = ownObject(copy, "metadata");
  for (const member of ["labels", "annotations"] as const) {
    metadata[member] = { ...objectAt(expected, "metadata", member), ...objectAt(existing, "metadata", member) };
  }
  return copy;
}

function missingRules(existing: JsonObject, expected: JsonObject): readonly PolicyRule[] {
  const work = uncoveredRules(policyRulesOf(existing), policyRulesOf(expected));
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value.rules;
    }
  }
}

/** Returns a rule as it is stored: without empty lists. */
function ruleObject(rule: PolicyRule): JsonObject {
  return Object.fromEntries(
    Object.entries(rule).flatMap(([name, values]: [string, readonly string[]]) =>
      values.length === 0 ? [] : [[name, [...values]]],
    ),
  );
}

function selectors(role: JsonObject): readonly JsonValue[] | undefined {
  return isJsonObject(role["aggregationRule"]) ? listAt(role, "aggregationRule", "clusterRoleSelectors") : undefined;
}

function isSame(one: JsonValue, other: JsonValue): boolean {
  return ["kind", "apiGroup", "name", "namespace"].every((member) => textAt(one, member) === textAt(other, member));
}
