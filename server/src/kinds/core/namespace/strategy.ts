import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { checkLabelName, isSet, type JsonObject, listAt, ownObject } from "@gatehouse/envelopes";

/** Held by the namespace controller until everything inside the namespace is gone. */
const namespaceFinalizer = "kubernetes";

/** By this label every namespace can be selected by its name (KEP-2161). */
const nameLabel = "kubernetes.io/metadata.name";

/** What is special about the life of namespaces: they have finalizers of their own, written through /finalize only. */
export const namespaceStrategy: ResourceStrategy = {
  prepareForCreate(namespace) {
    const spec = ownObject(namespace, "spec");
    const finalizers = listAt(spec, "finalizers");
    if (!finalizers.includes(namespaceFinalizer)) {
      spec["finalizers"] = [...finalizers, namespaceFinalizer];
    }
    namespace["status"] = { phase: "Active" };
    labelWithName(namespace);
  },
  prepareForUpdate(namespace, old, context) {
    if (context.subresource === "finalize") {
      copyMembers(old, namespace, ["status"]);
    } else {
      copyMembers(old, namespace, ["spec", "status"]);
    }
    labelWithName(namespace);
  },
  prepareForDeletion(namespace) {
    ownObject(namespace, "status")["phase"] = "Terminating";
    // However long it takes: there is no grace period to tell of.
    delete metaOf(namespace).deletionGracePeriodSeconds;
  },
  ownFinalizers: (namespace) => listAt(namespace, "spec", "finalizers").map(String),
};

/** The name may have been generated after defaulting, which otherwise sets the label. A name that is none is refused. */
function labelWithName(namespace: JsonObject): void {
  const meta = metaOf(namespace);
  if (isSet(meta, "name") && meta.name !== undefined && checkLabelName(meta.name).length === 0) {
    meta.labels = { ...meta.labels, [nameLabel]: meta.name };
  }
}
