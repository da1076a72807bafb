import { metaOf, setCondition } from "@gatehouse/apiserver/objects";
import { generationOfSpec, type KindStrategy } from "@gatehouse/apiserver/registry";
import { sortMembers } from "@gatehouse/envelopes/codec";
import { booleanAt, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { cleanupFinalizer } from "../resources/definition-summary.js";
import { customResourceDefinitionValidation } from "./validation/index.js";
import { nodesOf } from "./validation/schema-search.js";

/**
 * The strategy of CustomResourceDefinition: it notes every stored version, and a deleted definition waits for its
 * objects.
 */
export const customResourceDefinitionStrategy: KindStrategy = {
  validation: customResourceDefinitionValidation,
  metadata: { rechecks: ["change"], knownFinalizersOnly: false },
  generation: generationOfSpec,
  create: { prepareForCreate: completeDefinition },
  update: { prepareForUpdate: completeDefinition, allowUnconditionalUpdate: false },
  status: { resetFields: ["metadata", "spec"] },
  deletion: { beginDeletion, comparesPreconditions: true },
};

function completeDefinition(definition: JsonObject): void {
  dropEmptyWebhook(definition);
  sortStatedValues(definition);
  noteStoredVersion(definition);
}

/** Marks a definition as terminating: it stays until its objects are gone. */
function beginDeletion(definition: JsonObject, now: string): void {
  const meta = metaOf(definition);
  meta.deletionTimestamp = now;
  if (meta.finalizers?.includes(cleanupFinalizer) !== true) {
    meta.finalizers = [...(meta.finalizers ?? []), cleanupFinalizer];
  }
  const message = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon";
  setCondition(definition, { type: "Terminating", status: "True", reason: "InstanceDeletionPending", message }, now);
}

/** Drops a webhook without members: v1.29's own form has no place for it. */
function dropEmptyWebhook(definition: JsonObject): void {
  const conversion = objectAt(definition, "spec", "conversion");
  if (!isSet(conversion, "webhook", "clientConfig") && !isSet(conversion, "webhook", "conversionReviewVersions")) {
    delete conversion["webhook"];
  }
}

/** Sorts the members of values in schemas, which are maps in v1.29's own form. */
function sortStatedValues(definition: JsonObject): void {
  for (const version of listAt(definition, "spec", "versions")) {
    for (const node of nodesOf(objectAt(version, "schema", "openAPIV3Schema"))) {
      for (const name of ["default", "example", "enum"]) {
        const value = node[name];
        if (typeof value === "object" && value !== null) {
          node[name] = sortMembers(value);
        }
      }
    }
  }
}

function noteStoredVersion(definition: JsonObject): void {
  const stored = listAt(definition, "spec", "versions").find((version) => booleanAt(version, "storage"));
  if (stored === undefined) {
    return;
  }
  const name = textAt(stored, "name");
  const storedVersions = listAt(definition, "status", "storedVersions");
  if (!storedVersions.includes(name)) {
    // In an update the status is that of the old object, which must not change.
    definition["status"] = { ...objectAt(definition, "status"), storedVersions: [...storedVersions, name] };
  }
}
