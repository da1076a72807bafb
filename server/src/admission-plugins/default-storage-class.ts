import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { isSet, ownObject } from "@gatehouse/envelopes/json";
import { defaultClass } from "./default-class.js";
import type { PluginParts } from "./plugin-parts.js";

const storageClasses = { group: "storage.k8s.io", resource: "storageclasses" };
const isDefault = ["storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"];
/** The annotation that named the class of a claim before there was a field for it. */
const classAnnotation = "volume.beta.kubernetes.io/storage-class";

/** DefaultStorageClass: a new claim that names no class, not even the empty one, gets the default one. */
export function defaultStorageClass({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const defaultName = defaultClass(objects, storageClasses, isDefault);
  return {
    name: "DefaultStorageClass",
    concerns: (write) => isCoreWrite(write, "persistentvolumeclaims", ["CREATE"]),
    admit(attributes) {
      const claim = attributes.object;
      if (
        claim === undefined ||
        isSet(claim, "spec", "storageClassName") ||
        Object.hasOwn(metaOf(claim).annotations ?? {}, classAnnotation)
      ) {
        return;
      }
      const name = defaultName();
      if (name !== undefined) {
        attributes.mutate(() => {
          ownObject(claim, "spec")["storageClassName"] = name;
          return undefined;
        });
      }
    },
  };
}
