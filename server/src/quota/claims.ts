import { compareQuantity, type Quantity, roundUpQuantity } from "@gatehouse/envelopes/codec";
import { type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { QuotaEvaluator, UsageContext } from "./quota-evaluator.js";
import { one, type ResourceList, resourceList } from "./resource-list.js";

const classInfix = ".storageclass.storage.k8s.io/";
const byClass = ["persistentvolumeclaims", "requests.storage"];

/** The evaluator of claims: they count with the storage that they request, and once more for their class. */
export const claimEvaluator: QuotaEvaluator = {
  resource: Object.freeze({ group: "", resource: "persistentvolumeclaims" }),
  isCountOnly: false,
  changes: () => true,
  matches: isClaimResource,
  usage: claimUsage,
  isInScope: () => false,
};

function isClaimResource(name: string): boolean {
  return (
    name === "count/persistentvolumeclaims" ||
    byClass.some((resource) => name === resource || name.endsWith(`${classInfix}${resource}`))
  );
}

function claimUsage(claim: JsonObject, { features }: UsageContext): ResourceList {
  const usage: ResourceList = new Map([
    ["persistentvolumeclaims", one],
    ["count/persistentvolumeclaims", one],
  ]);
  const storage = storageOf(claim, features.enabled("RecoverVolumeExpansionFailure"));
  if (storage !== undefined) {
    usage.set("requests.storage", roundUpQuantity(storage, 0));
  }
  const storageClass =
    textAt(claim, "metadata", "annotations", "volume.beta.kubernetes.io/storage-class") ||
    textAt(claim, "spec", "storageClassName");
  for (const resource of storageClass === "" ? [] : byClass) {
    const amount = usage.get(resource);
    if (amount !== undefined) {
      usage.set(`${storageClass}${classInfix}${resource}`, amount);
    }
  }
  return usage;
}

/**
 * Returns the requested storage of a claim; while an expansion is being undone, the allocated storage if that is more.
 */
function storageOf(claim: JsonObject, recovers: boolean): Quantity | undefined {
  const asked = resourceList(objectAt(claim, "spec", "resources", "requests")).get("storage");
  const given = recovers ? resourceList(objectAt(claim, "status", "allocatedResources")).get("storage") : undefined;
  return asked !== undefined && given !== undefined && compareQuantity(given, asked) > 0 ? given : asked;
}
