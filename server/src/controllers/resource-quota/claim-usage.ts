import { type JsonObject, roundUpQuantity } from "@gatehouse/envelopes";
import { objectAt, textAt } from "../../objects/json-fields.js";
import { one, type ResourceList, resourceList } from "./resource-list.js";

const classInfix = ".storageclass.storage.k8s.io/";
const byClass = ["persistentvolumeclaims", "requests.storage"];

/** Resources that claims use, by the names that quotas have for them. */
export function isClaimResource(name: string): boolean {
  return (
    name === "count/persistentvolumeclaims" ||
    byClass.some((resource) => name === resource || name.endsWith(`${classInfix}${resource}`))
  );
}

/** What a claim uses: itself and the storage that it asks for, counted once more for its class. */
export function claimUsage(claim: JsonObject): ResourceList {
  const usage: ResourceList = new Map([
    ["persistentvolumeclaims", one],
    ["count/persistentvolumeclaims", one],
  ]);
  const storage = resourceList(objectAt(claim, "spec", "resources", "requests")).get("storage");
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
