import { type AdmissionPlugin, isCoreWrite, refusal } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { compareQuantity, parseQuantity } from "@gatehouse/envelopes/codec";
import { booleanAt, type JsonObject, scalarAt, textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "./plugin-parts.js";

const storageClasses = { group: "storage.k8s.io", resource: "storageclasses" };

/** PersistentVolumeClaimResize: a claim grows only when it is bound and its class says that volumes can. */
export function persistentVolumeClaimResize({ objects }: Pick<PluginParts, "objects">): AdmissionPlugin {
  const expandable = objects.view(storageClasses, (storageClass) => booleanAt(storageClass, "allowVolumeExpansion"));
  return {
    name: "PersistentVolumeClaimResize",
    concerns: (write) => isCoreWrite(write, "persistentvolumeclaims", ["UPDATE"]),
    validate(attributes) {
      const { object: claim = {}, oldObject: old = {} } = attributes;
      if (!isLarger(claim, old)) {
        return;
      }
      if (textAt(old, "status", "phase") !== "Bound") {
        throw refusal(attributes, "Only bound persistent volume claims can be expanded");
      }
      const name = className(claim);
      if (name === "" || name !== className(old) || expandable.get("", name) !== true) {
        throw refusal(
          attributes,
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
        );
      }
    },
  };
}

function isLarger(claim: JsonObject, old: JsonObject): boolean {
  const [size, oldSize] = [claim, old].map((one) => scalarAt(one, "spec", "resources", "requests", "storage") ?? "0");
  return size !== oldSize && compareQuantity(parseQuantity(size ?? "0"), parseQuantity(oldSize ?? "0")) > 0;
}

function className(claim: JsonObject): string {
  const { annotations = {} } = metaOf(claim);
  return annotations["volume.beta.kubernetes.io/storage-class"] ?? textAt(claim, "spec", "storageClassName");
}
