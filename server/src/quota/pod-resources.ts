import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { addAmounts, type ResourceList, raiseAmounts, resourceList } from "./resource-list.js";

/**
 * Returns the requests of a pod: the sum of its containers, or the largest init container if that is more, plus the
 * overhead. Restartable init containers (restartPolicy Always) count with both. Where pods are `resizable`, a container
 * counts with its allocated resources while these exceed its requests, or while a resize is infeasible.
 */
export function podRequests(pod: JsonObject, resizable: boolean): ResourceList {
  const requests = containerAmounts(pod, "requests", resizable ? allocatedOf(pod) : undefined);
  addAmounts(requests, resourceList(objectAt(pod, "spec", "overhead")));
  return requests;
}

/** Returns the limits of a pod, for the resources that are limited. */
export function podLimits(pod: JsonObject): ResourceList {
  const limits = containerAmounts(pod, "limits");
  const overhead = [...resourceList(objectAt(pod, "spec", "overhead"))].filter(([name]) => limits.has(name));
  addAmounts(limits, new Map(overhead));
  return limits;
}

/** Computes the resources that a container counts with from its requests, which it may change in place. */
type Revise = (container: JsonValue, asked: ResourceList) => ResourceList;

/** Returns the requests or limits of the containers of a pod, without its overhead. */
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

/** Returns a function that applies the allocated resources in the statuses of containers. */
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
