import type { JsonObject, JsonValue } from "@gatehouse/envelopes";
import { listAt, objectAt, textAt } from "../objects/json-fields.js";
import { addAmounts, type ResourceList, raiseAmounts, resourceList } from "./resource-list.js";

/**
 * What a pod needs at any time: all of its containers together, or one that prepares it if that is more. Those that
 * prepare it and go on running beside the others (restartPolicy Always) count with both.
 */
export function podRequests(pod: JsonObject): ResourceList {
  const requests = containerAmounts(pod, "requests");
  addAmounts(requests, resourceList(objectAt(pod, "spec", "overhead")));
  return requests;
}

/** What a pod may use at most, of what is limited. */
export function podLimits(pod: JsonObject): ResourceList {
  const limits = containerAmounts(pod, "limits");
  const overhead = [...resourceList(objectAt(pod, "spec", "overhead"))].filter(([name]) => limits.has(name));
  addAmounts(limits, new Map(overhead));
  return limits;
}

/** The same without what running the pod costs beside its containers. */
export function containerAmounts(pod: JsonObject, member: "requests" | "limits"): ResourceList {
  const all: ResourceList = new Map();
  for (const container of listAt(pod, "spec", "containers")) {
    addAmounts(all, amountsOf(container, member));
  }
  const besides: ResourceList = new Map();
  const preparing: ResourceList = new Map();
  for (const container of listAt(pod, "spec", "initContainers")) {
    const own = amountsOf(container, member);
    if (textAt(container, "restartPolicy") === "Always") {
      addAmounts(all, own);
      addAmounts(besides, own);
      raiseAmounts(preparing, besides);
    } else {
      addAmounts(own, besides);
      raiseAmounts(preparing, own);
    }
  }
  raiseAmounts(all, preparing);
  return all;
}

function amountsOf(container: JsonValue, member: "requests" | "limits"): ResourceList {
  return resourceList(objectAt(container, "resources", member));
}
