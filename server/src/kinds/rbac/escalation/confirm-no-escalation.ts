import { isDeepStrictEqual } from "node:util";
import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { Privileges } from "@gatehouse/apiserver/registry";
import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { runSteps } from "@gatehouse/envelopes/scheduling";
import {
  compactRules,
  missingRolesText,
  type PolicyRule,
  quotedList,
  ruleText,
  uncoveredRules,
} from "@gatehouse/policies/rbac";

const mastersGroup = "system:masters";

/** Reports whether the user is in `system:masters`, as the server itself is, and may therefore do everything. */
export function isMaster({ user }: AdmissionAttributes): boolean {
  return user.groups.includes(mastersGroup);
}

/** Returns v1.29's message with the rules that the user would grant and does not hold; undefined if they hold all. */
export async function escalationOf(
  attributes: AdmissionAttributes,
  privileges: Pick<Privileges, "rbac">,
  wanted: readonly PolicyRule[],
): Promise<string | undefined> {
  const index = await privileges.rbac();
  const { user, namespace } = attributes;
  const held = index.rulesFor(user, namespace);
  const uncovered = await runSteps(attributes, uncoveredRules(held.rules, wanted));
  if (uncovered.rules.length === 0 && !uncovered.isCutShort) {
    return undefined;
  }
  const texts = new Set(compactRules(uncovered.rules).map(ruleText));
  const missing = [...texts].sort().join("\n");
  const more = uncovered.isCutShort ? "\nand more" : "";
  const absent = missingRolesText(held.missing, "resource");
  const unresolved = absent === "" ? "" : `; resolution errors: [${absent}]`;
  return `user ${goQuote(user.username)} (groups=${quotedList(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${missing}${more}${unresolved}`;
}

/**
 * Reports whether an update changes only members that garbage collection writes. Such an update grants nothing and is
 * allowed for any role and binding (v1.29).
 */
export function changesOnlyOwners({ object, oldObject }: AdmissionAttributes): boolean {
  if (object === undefined || oldObject === undefined) {
    return false;
  }
  const { ownerReferences, finalizers, managedFields } = metaOf(oldObject) as JsonObject;
  const metadata: JsonObject = { ...metaOf(object) };
  for (const [name, value] of Object.entries({ ownerReferences, finalizers, managedFields })) {
    if (value === undefined) {
      delete metadata[name];
    } else {
      metadata[name] = value;
    }
  }
  return isDeepStrictEqual({ ...object, metadata }, oldObject);
}
