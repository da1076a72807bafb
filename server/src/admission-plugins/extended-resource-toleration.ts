import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { isExtendedResource } from "../validation/resource-names.js";
import { containersOf } from "./pods.js";

/** ExtendedResourceToleration: who asks for a GPU may run on nodes that are kept for those who do. */
export function extendedResourceToleration(): AdmissionPlugin {
  return {
    name: "ExtendedResourceToleration",
    concerns: (write) => isCoreWrite(write, "pods", ["CREATE", "UPDATE"]),
    admit(attributes) {
      const resources = extendedResourcesOf(attributes.object as JsonObject);
      if (resources.length > 0) {
        attributes.mutate((pod) => {
          for (const resource of resources) {
            tolerate(pod, resource);
          }
          return undefined;
        });
      }
    },
  };
}

function extendedResourcesOf(pod: JsonObject): string[] {
  const names = containersOf(pod, ["containers", "initContainers"]).flatMap((container) =>
    Object.keys(objectAt(container, "resources", "requests")),
  );
  return [...new Set(names)].filter(isExtendedResource).sort();
}

/** Adds the toleration of a resource: replaces one that differs only in its seconds, or is appended. */
function tolerate(pod: JsonObject, key: string): void {
  const toleration = { key, operator: "Exists", effect: "NoSchedule" };
  const spec = ownObject(pod, "spec");
  const present = listAt(spec, "tolerations");
  const isSame = (other: (typeof present)[number]): boolean =>
    textAt(other, "key") === key &&
    textAt(other, "operator") === toleration.operator &&
    textAt(other, "effect") === toleration.effect &&
    textAt(other, "value") === "";
  spec["tolerations"] = present.some(isSame)
    ? present.map((other) => (isSame(other) ? { ...toleration } : other))
    : [...present, toleration];
}
