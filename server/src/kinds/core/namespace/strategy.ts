import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import type { KindStrategy, StatedPropagation } from "@gatehouse/apiserver/registry";
import { foregroundFinalizer, orphanFinalizer } from "@gatehouse/apiserver/verbs";
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
    beginDeletion(namespace, now, stated) {
      const meta = metaOf(namespace);
      // The deletion of a namespace has no grace period, and counts as no new generation.
      meta.deletionTimestamp = now;
      ownObject(namespace, "status")["phase"] = "Terminating";
      const finalizers = finalizersForDeletion(meta.finalizers ?? [], stated);
      copyMembers(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }, meta, ["finalizers"]);
    },
    ownFinalizers: (namespace) => listAt(namespace, "spec", "finalizers").map(String),
  },
};

/**
 * Returns the finalizers of a namespace that is deleted for the first time. Each of the two finalizers of garbage collection
 * follows the deletion by itself, and stays as it is if that states nothing: unlike for other kinds, not to orphan dependents
 * is to delete them first.
 */
function finalizersForDeletion(
  current: readonly string[],
  { orphanDependents, propagationPolicy }: Partial<StatedPropagation>,
): readonly string[] {
  const follows = (policy: string): boolean | undefined =>
    propagationPolicy === undefined ? undefined : propagationPolicy === policy;
  const isForeground = orphanDependents === undefined ? follows("Foreground") : !orphanDependents;
  const orphaning = withFinalizer(current, orphanFinalizer, orphanDependents ?? follows("Orphan"));
  return withFinalizer(orphaning, foregroundFinalizer, isForeground);
}

/** Returns finalizers with one of them or without it, or as they are where it is not said which. */
function withFinalizer(finalizers: readonly string[], name: string, isWanted: boolean | undefined): readonly string[] {
  if (isWanted === undefined || isWanted === finalizers.includes(name)) {
    return finalizers;
  }
  return isWanted ? [...finalizers, name] : finalizers.filter((finalizer) => finalizer !== name);
}

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
