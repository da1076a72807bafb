import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes";
import { addAmounts, type ResourceList, raiseAmounts, resourceList } from "./resource-list.js";

/**
 * What a pod needs at any time: all of its containers together, or one that prepares it if that is more. Those that
 * prepare it and go on running beside the others (restartPolicy Always) count with both. Where pods are `resizable`, a
 * container counts with what it was given while that is more than it asks for, or while it cannot get that.
 */
export function podRequests(pod: JsonObject, resizable: boolean): ResourceList {
  const requests = containerAmounts(pod, "requests", resizable ? allocatedOf(pod) : undefined);
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

/** What a container counts with, given what it asks for; in place. */
type Revise = (container: JsonValue, asked: ResourceList) => ResourceList;

/** The same without what running the pod costs beside its containers. */
export function containerAmounts(
  pod: JsonObject,
  member: "requests" | "limits",
  revise: Revise = (_container, asked) => asked,
): ResourceList {
  const all: ResourceList = new Map();
  for (const container of listAt(pod, "spec", "containers")) {
    addAmounts(all, revise(container, amountsOf(container, member)));
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

/** What the statuses of containers say that these were given. */
function allocatedOf(pod: JsonObject): Revise {
  const statuses = new Map(
    listAt(pod, "status", "containerStatuses").map((status) => [textAt(status, "name"), status]),
  );
  const isInfeasible = textAt(pod, "status", "resize") === "Infeasible";
  return (container, asked) => {
    const status = statuses.get(textAt(container, "name"));
    if (status === undefined) {
      return asked;
    }
    const allocated = resourceList(objectAt(status, "allocatedResources"));
    if (isInfeasible) {
      return allocated;
    }
    raiseAmounts(asked, allocated);
    return asked;
  };
}

function amountsOf(container: JsonValue, member: "requests" | "limits"): ResourceList {
  return resourceList(objectAt(container, "resources", member));
}
