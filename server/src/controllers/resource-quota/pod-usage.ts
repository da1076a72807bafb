import type { JsonObject } from "@gatehouse/envelopes";
import { isSet, textAt } from "../../objects/json-fields.js";
import { metaOf } from "../../objects/object-meta.js";
import { isExtendedResource, isHugePages } from "../../rules/resource-names.js";
import { podLimits, podRequests } from "./pod-resources.js";
import { one, type ResourceList } from "./resource-list.js";

const measured = ["cpu", "memory", "ephemeral-storage"];

/** Resources that pods use, by the names that quotas have for them. */
export function isPodResource(name: string): boolean {
  return (
    name === "pods" ||
    name === "count/pods" ||
    measured.some((resource) => [resource, `requests.${resource}`, `limits.${resource}`].includes(name)) ||
    isHugePages(name) ||
    name.startsWith("requests.hugepages-") ||
    (name.startsWith("requests.") && name.includes("/") && !name.includes("kubernetes.io/"))
  );
}

/** What a pod uses. One that has ended, or should have, uses nothing but its place in the store. */
export function podUsage(pod: JsonObject, nowMs: number): ResourceList {
  const usage: ResourceList = new Map([["count/pods", one]]);
  if (hasEnded(pod) || isStuck(pod, nowMs)) {
    return usage;
  }
  usage.set("pods", one);
  for (const [name, amount] of podRequests(pod)) {
    if (measured.includes(name) || isHugePages(name)) {
      usage.set(name, amount);
    }
    if (measured.includes(name) || isHugePages(name) || isExtendedResource(name)) {
      usage.set(`requests.${name}`, amount);
    }
  }
  for (const [name, amount] of podLimits(pod)) {
    if (measured.includes(name)) {
      usage.set(`limits.${name}`, amount);
    }
  }
  return usage;
}

function hasEnded(pod: JsonObject): boolean {
  return ["Failed", "Succeeded"].includes(textAt(pod, "status", "phase"));
}

/** Nobody pays for a pod that its node does not give back. */
function isStuck(pod: JsonObject, nowMs: number): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metaOf(pod);
  if (deletionTimestamp === undefined || !isSet(pod, "metadata", "deletionGracePeriodSeconds")) {
    return false;
  }
  return nowMs > Date.parse(String(deletionTimestamp)) + Number(deletionGracePeriodSeconds) * 1000;
}
