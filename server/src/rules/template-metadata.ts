import {
  goOwnerReferences,
  goQuote,
  integerAt,
  isJsonObject,
  type JsonObject,
  objectAt,
  textAt,
} from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";
import { listAsSent, mapAsSent } from "./go/as-sent.js";
import { goStruct, goTexts } from "./go-literals.js";
import { checkAnnotations, checkLabels, goTextMap } from "./labels.js";

// In the order of the Go type, with their names there: v1.29 tells of them by name, with a small letter in front.
const otherMembers: readonly (readonly [member: string, goName: string])[] = [
  ["name", "Name"],
  ["generateName", "GenerateName"],
  ["namespace", "Namespace"],
  ["selfLink", "SelfLink"],
  ["uid", "UID"],
  ["resourceVersion", "ResourceVersion"],
  ["generation", "Generation"],
  ["creationTimestamp", "CreationTimestamp"],
  ["deletionTimestamp", "DeletionTimestamp"],
  ["deletionGracePeriodSeconds", "DeletionGracePeriodSeconds"],
  ["ownerReferences", "OwnerReferences"],
  ["finalizers", "Finalizers"],
  ["managedFields", "ManagedFields"],
];

/** Metadata that objects made later get: labels and annotations, and nothing else. */
export function checkTemplateMetadata(metadata: JsonObject, path: FieldPath, errors: FieldErrors): void {
  checkAnnotations(objectAt(metadata, "annotations"), path.child("annotations"), errors);
  checkLabels(objectAt(metadata, "labels"), path.child("labels"), errors);
  for (const [member, goName] of otherMembers) {
    const value = metadata[member] ?? listAsSent(metadata, member);
    if (value !== undefined && value !== null && value !== "" && value !== 0) {
      errors.forbidden(path.child(`${goName.charAt(0).toLowerCase()}${goName.slice(1)}`), "cannot be set");
    }
  }
}

/** Such metadata as Go prints it, in an error about what holds it; of valid ones everything is shown. */
export function goTemplateMetadata(metadata: JsonObject): string {
  const text = (name: string) => goQuote(textAt(metadata, name));
  const owners = listAsSent(metadata, "ownerReferences");
  const map = (name: string) => goTextMap(mapAsSent(metadata, name));
  return goStruct("v1.ObjectMeta", {
    Name: text("name"),
    GenerateName: text("generateName"),
    Namespace: text("namespace"),
    SelfLink: text("selfLink"),
    UID: text("uid"),
    ResourceVersion: text("resourceVersion"),
    Generation: String(integerAt(metadata, "generation")),
    CreationTimestamp: "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)",
    DeletionTimestamp: "<nil>",
    DeletionGracePeriodSeconds: "(*int64)(nil)",
    Labels: map("labels"),
    Annotations: map("annotations"),
    OwnerReferences: owners === undefined ? "[]v1.OwnerReference(nil)" : goOwnerReferences(owners.filter(isJsonObject)),
    Finalizers: goTexts("string", listAsSent(metadata, "finalizers")),
    ManagedFields: "[]v1.ManagedFieldsEntry(nil)",
  });
}
