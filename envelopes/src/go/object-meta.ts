import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import { integerAt, textAt } from "../json/json-fields.js";
import { goOwnerReferences } from "../validation/owner-references.js";
import { listAsSent, mapAsSent } from "./as-sent.js";
import { goDate, goLiteral, goSlice, goTexts } from "./literals.js";
import { goPointer } from "./pointer.js";
import { goQuote } from "./quote.js";
import { goTextMap } from "./text-map.js";

/** Returns metadata as Go's `%#v` writes them, in an error about the struct that holds them. */
export function goObjectMeta(metadata: JsonObject): string {
  const text = (name: string) => goQuote(textAt(metadata, name));
  const owners = listAsSent(metadata, "ownerReferences");
  const managers = listAsSent(metadata, "managedFields");
  const map = (name: string) => goTextMap(mapAsSent(metadata, name));
  return goLiteral("v1.ObjectMeta", {
    Name: text("name"),
    GenerateName: text("generateName"),
    Namespace: text("namespace"),
    SelfLink: text("selfLink"),
    UID: text("uid"),
    ResourceVersion: text("resourceVersion"),
    Generation: String(integerAt(metadata, "generation")),
    CreationTimestamp: goDate(metadata["creationTimestamp"]),
    DeletionTimestamp: goTimePointer(metadata["deletionTimestamp"]),
    DeletionGracePeriodSeconds: goPointer("int64", metadata["deletionGracePeriodSeconds"]),
    Labels: map("labels"),
    Annotations: map("annotations"),
    OwnerReferences: owners === undefined ? "[]v1.OwnerReference(nil)" : goOwnerReferences(owners.filter(isJsonObject)),
    Finalizers: goTexts("string", listAsSent(metadata, "finalizers")),
    ManagedFields: goSlice("v1.ManagedFieldsEntry", managers, () => (managers ?? []).map(goManager)),
  });
}

function goManager(entry: JsonValue): string {
  const text = (name: string) => goQuote(textAt(entry, name));
  const { time = null, fieldsV1 = null } = isJsonObject(entry) ? entry : {};
  return goLiteral("v1.ManagedFieldsEntry", {
    Manager: text("manager"),
    Operation: text("operation"),
    APIVersion: text("apiVersion"),
    Time: goTimePointer(time),
    FieldsType: text("fieldsType"),
    FieldsV1: goPointer("v1.FieldsV1", fieldsV1),
    Subresource: text("subresource"),
  });
}

function goTimePointer(time: JsonValue | undefined): string {
  return time === undefined || time === null ? "<nil>" : goDate(time);
}
