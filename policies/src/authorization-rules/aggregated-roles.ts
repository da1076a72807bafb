import { type LabelSelector, labelSelectorOf } from "@gatehouse/envelopes/selectors";
import type { rbacV1 } from "@gatehouse/envelopes/types";
import type { RbacObject } from "./authorization-rules.js";

/**
 * Gives aggregated cluster roles the rules that they collect, which no controller does for a document. They may collect
 * from each other, in any order, in a circle as well.
 */
export function withAggregatedRules(objects: readonly RbacObject[]): readonly RbacObject[] {
  const roles = objects.filter((object) => object.kind === "ClusterRole");
  const selectorsOf = new Map(roles.map((role) => [role, selectorsIn(role)]));
  return objects.map((object) =>
    object.kind === "ClusterRole" && selectorsOf.get(object) !== undefined
      ? { ...object, rules: reachableFrom(object, roles, selectorsOf).flatMap(({ rules }) => rules ?? []) }
      : object,
  );
}

type SelectorsOf = ReadonlyMap<rbacV1.ClusterRole, readonly LabelSelector[] | undefined>;

/** Returns the selectors of an aggregated role; undefined if its rules are its own. */
function selectorsIn({ aggregationRule }: rbacV1.ClusterRole): readonly LabelSelector[] | undefined {
  return aggregationRule?.clusterRoleSelectors?.map((selector) => labelSelectorOf(selector));
}

/** Returns the roles with rules of their own from which a role collects, directly or through others. */
function reachableFrom(
  start: rbacV1.ClusterRole,
  roles: readonly rbacV1.ClusterRole[],
  selectorsOf: SelectorsOf,
): readonly rbacV1.ClusterRole[] {
  const reached = new Set([start]);
  for (const role of reached) {
    for (const selector of selectorsOf.get(role) ?? []) {
      for (const candidate of roles) {
        if (!reached.has(candidate) && selector.matches(candidate.metadata?.labels)) {
          reached.add(candidate);
        }
      }
    }
  }
  return [...reached].filter((role) => selectorsOf.get(role) === undefined);
}
