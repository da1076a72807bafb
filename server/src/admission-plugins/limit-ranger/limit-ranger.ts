import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  isCoreWrite,
  type ObjectView,
  RecentNames,
  refusal,
} from "@gatehouse/apiserver/admission";
import type { MaybePromise } from "@gatehouse/apiserver/request";
import { isSet, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { containerAmounts } from "../../quota/pod-resources.js";
import { resourceList } from "../../quota/resource-list.js";
import type { PluginParts } from "../plugin-parts.js";
import { containersOf } from "../pods.js";
import { brokenClaimLimits, brokenLimits } from "./constraints.js";
import { type LimitRange, limitRangeOf } from "./limit-range.js";
import { lacksDefaults, setDefaults } from "./set-defaults.js";

/** Milliseconds for which a namespace is remembered to have no LimitRange after a fresh read (as in v1.29). */
const emptyMs = 30_000;

/** LimitRanger: containers get the resources that their namespace has as defaults, and all keep to its bounds. */
export function limitRanger({ objects, now }: Pick<PluginParts, "objects" | "now">): AdmissionPlugin {
  const ranges = objects.view({ group: "", resource: "limitranges" }, limitRangeOf);
  const empty = new RecentNames(emptyMs, now);
  return {
    name: "LimitRanger",
    concerns: (write) =>
      isCoreWrite(write, "pods", ["CREATE"]) || isCoreWrite(write, "persistentvolumeclaims", ["CREATE", "UPDATE"]),
    admit(attributes) {
      return attributes.resource.resource === "pods" ? forEachRange(ranges, empty, attributes, setMissing) : undefined;
    },
    validate(attributes) {
      return isSet(attributes.oldObject, "metadata", "deletionTimestamp")
        ? undefined
        : forEachRange(ranges, empty, attributes, refuseBroken);
    },
  };
}

type Step = (attributes: AdmissionAttributes, range: LimitRange) => void;

/** Takes the step with each LimitRange of the namespace. When there seems to be none, that is made sure of now and then. */
function forEachRange(
  ranges: ObjectView<LimitRange>,
  empty: RecentNames,
  attributes: AdmissionAttributes,
  step: Step,
): MaybePromise<void> {
  const { namespace, signal } = attributes;
  const known = ranges.list(namespace);
  for (const range of known) {
    step(attributes, range);
  }
  if (known.length > 0 || empty.has(namespace)) {
    return undefined;
  }
  return ranges.catchUp(signal).then(() => {
    const fresh = ranges.list(namespace);
    if (fresh.length === 0) {
      empty.add(namespace);
    }
    for (const range of fresh) {
      step(attributes, range);
    }
  });
}

function setMissing(attributes: AdmissionAttributes, range: LimitRange): void {
  if (lacksDefaults(attributes.object as JsonObject, range)) {
    attributes.mutate((pod) => {
      setDefaults(pod, range);
      return undefined;
    });
  }
}

function refuseBroken(attributes: AdmissionAttributes, range: LimitRange): void {
  const { object = {}, resource } = attributes;
  const problems = new Set(resource.resource === "pods" ? podProblems(object, range) : claimProblems(object, range));
  if (problems.size > 0) {
    const text = [...problems].join(", ");
    throw refusal(attributes, problems.size === 1 ? text : `[${text}]`);
  }
}

function podProblems(pod: JsonObject, { limits }: LimitRange): string[] {
  return limits.flatMap((limit) => {
    switch (limit.type) {
      case "Container":
        return [...containersOf(pod, ["containers"]), ...containersOf(pod, ["initContainers"])].flatMap((container) =>
          brokenLimits(limit, {
            requests: resourceList(objectAt(container, "resources", "requests")),
            limits: resourceList(objectAt(container, "resources", "limits")),
          }),
        );
      case "Pod":
        return brokenLimits(limit, {
          requests: containerAmounts(pod, "requests"),
          limits: containerAmounts(pod, "limits"),
        });
      default:
        return [];
    }
  });
}

function claimProblems(claim: JsonObject, { limits }: LimitRange): string[] {
  const requests = resourceList(objectAt(claim, "spec", "resources", "requests"));
  return limits.flatMap((limit) => (limit.type === "PersistentVolumeClaim" ? brokenClaimLimits(limit, requests) : []));
}
