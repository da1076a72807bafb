import { metaOf } from "@gatehouse/apiserver/objects";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { hasEnded } from "../pods/has-ended.js";
import { isExtendedResource, isHugePages } from "../validation/resource-names.js";
import { podLimits, podRequests } from "./pod-resources.js";
import type { QuotaEvaluator, UsageContext } from "./quota-evaluator.js";
import { one, type ResourceList } from "./resource-list.js";
import { isInScope } from "./scopes.js";

const measured = ["cpu", "memory", "ephemeral-storage"];

/** The evaluator of pods: they count with the requests and limits of their containers. */
export const podEvaluator: QuotaEvaluator = {
  resource: Object.freeze({ group: "", resource: "pods" }),
  isCountOnly: false,
  changes: (features) => features.enabled("InPlacePodVerticalScaling"),
  matches: isPodResource,
  usage: podUsage,
  isInScope,
  missing: missingAmounts,
};

function isPodResource(name: string): boolean {
  return (
    name === "pods" ||
    name === "count/pods" ||
    measured.some((resource) => [resource, `requests.${resource}`, `limits.${resource}`].includes(name)) ||
    isHugePages(name) ||
    name.startsWith("requests.hugepages-") ||
    (name.startsWith("requests.") && name.includes("/") && !name.includes("kubernetes.io/"))
  );
}

/** Returns the usage of a pod. One that has ended, or should have, counts as an object only. */
function podUsage(pod: JsonObject, { nowMs, features }: UsageContext): ResourceList {
  const usage: ResourceList = new Map([["count/pods", one]]);
  if (hasEnded(pod) || isStuck(pod, nowMs)) {
    return usage;
  }
  usage.set("pods", one);
  for (const [name, amount] of podRequests(pod, features.enabled("InPlacePodVerticalScaling"))) {
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

/** Amounts that every container must state where a quota limits them; other amounts may be missing. */
const demanded = ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];

function missingAmounts(pod: JsonObject, names: readonly string[]): string | undefined {
  const containers = [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")];
  const missing = demanded
    .filter((name) => names.includes(name))
    .flatMap((name) => {
      const without = containers.filter((container) => !asksFor(container, name));
      const shown = [...new Set(without.map((container) => textAt(container, "name")))].sort();
      return shown.length === 0 ? [] : [`${name} for: ${shown.join(",")}`];
    });
  return missing.length === 0 ? undefined : `must specify ${missing.join("; ")}`;
}

function asksFor(container: JsonValue, name: string): boolean {
  const [resource = "", member = "requests"] = name.split(".").reverse();
  return Object.hasOwn(objectAt(container, "resources", member), resource);
}

/** Reports whether a pod should have ended but its node keeps it: such a pod uses nothing. */
function isStuck(pod: JsonObject, nowMs: number): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metaOf(pod);
  if (deletionTimestamp === undefined || !isSet(pod, "metadata", "deletionGracePeriodSeconds")) {
    return false;
  }
  return nowMs > Date.parse(String(deletionTimestamp)) + Number(deletionGracePeriodSeconds) * 1000;
}
