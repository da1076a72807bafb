import { booleanAt, isSet, type JsonObject, listAt, objectAt, ownList, ownObject, textAt } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { cleanupFinalizer } from "../../../custom/definition-summary.js";
import { setCondition } from "../../../objects/conditions.js";
import { metaOf } from "../../../objects/object-meta.js";

/** A definition notes every version that objects may have been stored in, and waits for its objects when it is deleted. */
export const customResourceDefinitionStrategy: ResourceStrategy = {
  prepareForCreate(definition) {
    dropEmptyWebhook(definition);
    noteStoredVersion(definition);
  },
  prepareForUpdate(definition) {
    dropEmptyWebhook(definition);
    noteStoredVersion(definition);
  },
  beginDeletion(definition, now) {
    const meta = metaOf(definition);
    meta.deletionTimestamp = now;
    if (meta.finalizers?.includes(cleanupFinalizer) !== true) {
      meta.finalizers = [...(meta.finalizers ?? []), cleanupFinalizer];
    }
    const message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
    setCondition(definition, { type: "Terminating", status: "True", reason: "InstanceDeletionPending", message }, now);
  },
};

/** v1.29's own form has no place for a webhook of which nothing is said. */
function dropEmptyWebhook(definition: JsonObject): void {
  const conversion = objectAt(definition, "spec", "conversion");
  if (!isSet(conversion, "webhook", "clientConfig") && !isSet(conversion, "webhook", "conversionReviewVersions")) {
    delete conversion["webhook"];
  }
}

function noteStoredVersion(definition: JsonObject): void {
  const stored = listAt(definition, "spec", "versions").find((version) => booleanAt(version, "storage"));
  if (stored === undefined) {
    return;
  }
  const name = textAt(stored, "name");
  const storedVersions = ownList(ownObject(definition, "status"), "storedVersions");
  if (!storedVersions.includes(name)) {
    storedVersions.push(name);
  }
}
