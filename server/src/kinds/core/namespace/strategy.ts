import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import type { KindStrategy } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, listAt, ownObject } from "@gatehouse/envelopes/json";
import { validateLabelName } from "@gatehouse/envelopes/validation";
import { namespaceValidation } from "./validation.js";

/** The finalizer that the namespace controller keeps until everything inside the namespace is gone. */
const namespaceFinalizer = "kubernetes";

/** The label with the name of the namespace, by which selectors can find it (KEP-2161). */
const nameLabel = "kubernetes.io/metadata.name";

/** The strategy of Namespace, whose own finalizers are written through /finalize only. */
export const namespaceStrategy: KindStrategy = {
  validation: namespaceValidation,
  metadata: { rechecks: "inValidation", validateName: validateLabelName },
  create: {
    resetStatus(namespace) {
      namespace["status"] = { phase: "Active" };
    },
    prepareForCreate(namespace) {
      const spec = ownObject(namespace, "spec");
      const finalizers = listAt(spec, "finalizers");
      if (!finalizers.includes(namespaceFinalizer)) {
        spec["finalizers"] = [...finalizers, namespaceFinalizer];
      }
      labelWithName(namespace);
    },
  },
  update: {
    prepareForUpdate(namespace, old) {
      copyMembers(old, namespace, ["spec"]);
      labelWithName(namespace);
    },
    subresources: {
      finalize: {
        resetFields: ["status"],
        prepareForUpdate(namespace, old) {
          copyMembers(old, namespace, ["status"]);
          labelWithName(namespace);
        },
      },
    },
  },
  deletion: {
    returnsDeletedObject: true,
    comparesPreconditions: true,
    prepareForDeletion(namespace) {
      ownObject(namespace, "status")["phase"] = "Terminating";
      // The deletion of a namespace has no grace period.
      delete metaOf(namespace).deletionGracePeriodSeconds;
    },
    ownFinalizers: (namespace) => listAt(namespace, "spec", "finalizers").map(String),
  },
};

/**
 * Sets the label with the name: a name may be generated after defaulting, which otherwise sets it. An invalid name is
 * skipped, as it is refused.
 */
function labelWithName(namespace: JsonObject): void {
  const meta = metaOf(namespace);
  if (isSet(meta, "name") && meta.name !== undefined && validateLabelName(meta.name).length === 0) {
    meta.labels = { ...meta.labels, [nameLabel]: meta.name };
  }
}
