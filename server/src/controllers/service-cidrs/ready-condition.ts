import { ignoreNotFound, type ObjectClient } from "@gatehouse/apiserver/client";
import { timestamp } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { serviceCidrs } from "../../ip-addresses/service-cidrs.js";

/** The condition of a ServiceCIDR that says whether addresses may be allocated from it. */
export interface ReadyVerdict {
  readonly status: "True" | "False";
  readonly reason?: string;
  readonly message: string;
}

/** Returns the condition as it stands; undefined when there is none. */
export function readyConditionOf(serviceCidr: JsonObject): JsonObject | undefined {
  return conditionOfType(listAt(serviceCidr, "status", "conditions"), "Ready");
}

/**
 * Applies the condition to a ServiceCIDR, in the name of `manager`, unless it stands there already. v1.29 writes it again
 * at every look, with another time.
 */
export async function applyReadyCondition(
  client: ObjectClient,
  serviceCidr: JsonObject,
  verdict: ReadyVerdict,
  { manager, now }: { readonly manager: string; readonly now: () => number },
): Promise<void> {
  const condition = readyConditionOf(serviceCidr);
  const { status, reason = "", message } = verdict;
  const isSaid =
    textAt(condition, "status") === status &&
    textAt(condition, "reason") === reason &&
    textAt(condition, "message") === message;
  if (isSaid) {
    return;
  }
  const name = textAt(serviceCidr, "metadata", "name");
  const applied = { type: "Ready", ...verdict, lastTransitionTime: timestamp(now()) };
  await client
    .apply(
      serviceCidrs,
      { namespace: "", name, subresource: "status" },
      { metadata: { name }, status: { conditions: [applied] } },
      manager,
    )
    .catch(ignoreNotFound);
}
