import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { type ResourceList, resourceList } from "../../quota/resource-list.js";
import { type QuotaScope, scopesOf } from "../../quota/scopes.js";

/** A quota as its status has it: limits count from when it is known how much is used. */
export interface QuotaState {
  readonly name: string;
  readonly resourceVersion: string;
  readonly hard: ResourceList;
  readonly used: ResourceList;
  readonly scopes: readonly QuotaScope[];
}

export function quotaState(quota: JsonObject): QuotaState {
  const { name = "", resourceVersion = "" } = metaOf(quota);
  return {
    name,
    resourceVersion,
    hard: resourceList(objectAt(quota, "status", "hard")),
    used: resourceList(objectAt(quota, "status", "used")),
    scopes: scopesOf(quota),
  };
}

/** Returns a copy of a quota whose usage may be increased. */
export function runningState(quota: QuotaState): QuotaState {
  return { ...quota, used: new Map(quota.used) };
}
