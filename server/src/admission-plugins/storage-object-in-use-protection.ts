import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";

/** Finalizers that keep volumes and claims while they are used. Controllers remove them. */
const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: "kubernetes.io/pv-protection",
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
};

/** StorageObjectInUseProtection: new volumes and claims are not deleted for good while they are used. */
export function storageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: "StorageObjectInUseProtection",
    concerns: (write) => Object.keys(finalizers).some((resource) => isCoreWrite(write, resource, ["CREATE"])),
    admit(attributes) {
      const finalizer = finalizers[attributes.resource.resource] as string;
      const { object } = attributes;
      if (object !== undefined && !(metaOf(object).finalizers ?? []).includes(finalizer)) {
        attributes.mutate((changed) => {
          const meta = metaOf(changed);
          meta.finalizers = [...(meta.finalizers ?? []), finalizer];
          return undefined;
        });
      }
    },
  };
}
