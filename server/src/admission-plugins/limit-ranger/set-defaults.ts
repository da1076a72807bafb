import { metaOf } from "@gatehouse/apiserver/objects";
import { isSet, type JsonObject, ownObject, textAt } from "@gatehouse/envelopes/json";
import { containersOf } from "../pods.js";
import type { Amounts, LimitRange } from "./limit-range.js";

const annotation = "kubernetes.io/limit-ranger";

/** Gives the containers of a pod the requests and limits that they lack, and notes in an annotation which. */
export function setDefaults(pod: JsonObject, { defaultRequests, defaultLimits }: LimitRange): void {
  const notes: string[] = [];
  for (const [list, what] of [
    ["containers", "container"],
    ["initContainers", "init container"],
  ] as const) {
    for (const container of containersOf(pod, [list])) {
      const name = `${what} ${textAt(container, "name")}`;
      // Both are filled in before either is noted: the annotation lists requests first.
      const limits = fillIn(container, "limits", defaultLimits);
      const requests = fillIn(container, "requests", defaultRequests);
      notes.push(...noteOf(requests, `request for ${name}`), ...noteOf(limits, `limit for ${name}`));
    }
  }
  if (notes.length > 0) {
    const meta = metaOf(pod);
    meta.annotations = { ...meta.annotations, [annotation]: `LimitRanger plugin set: ${notes.join("; ")}` };
  }
}

/** Reports whether `setDefaults` has something to set. */
export function lacksDefaults(pod: JsonObject, { defaultRequests, defaultLimits }: LimitRange): boolean {
  return containersOf(pod, ["containers", "initContainers"]).some(
    (container) =>
      defaultRequests.some(([resource]) => !isSet(container, "resources", "requests", resource)) ||
      defaultLimits.some(([resource]) => !isSet(container, "resources", "limits", resource)),
  );
}

/** Sets the resources that are missing, and returns their names. */
function fillIn(container: JsonObject, member: "requests" | "limits", defaults: Amounts): string[] {
  const missing = defaults.filter(([resource]) => !isSet(container, "resources", member, resource));
  if (missing.length > 0) {
    const amounts = ownObject(ownObject(container, "resources"), member);
    for (const [resource, amount] of missing) {
      amounts[resource] = amount;
    }
  }
  return missing.map(([resource]) => resource);
}

function noteOf(resources: readonly string[], what: string): string[] {
  return resources.length === 0 ? [] : [`${resources.join(", ")} ${what}`];
}
