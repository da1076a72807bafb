import { type FieldErrors, type FieldPath, validateAnnotations, validateLabels } from "@gatehouse/apiserver/validation";
import { listAsSent } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";

// Members in the order of the Go type, with their Go names, which v1.29 shows with a lower case initial.
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

/** Validates the metadata of a template: labels and annotations, and nothing else. */
export function validateTemplateMetadata(metadata: JsonObject, path: FieldPath, errors: FieldErrors): void {
  validateAnnotations(objectAt(metadata, "annotations"), path.child("annotations"), errors);
  validateLabels(objectAt(metadata, "labels"), path.child("labels"), errors);
  for (const [member, goName] of otherMembers) {
    const value = metadata[member] ?? listAsSent(metadata, member);
    // In Go the number is a pointer, so that zero counts as set.
    const isZero = value === "" || (value === 0 && member !== "deletionGracePeriodSeconds");
    if (value !== undefined && value !== null && !isZero) {
      errors.forbidden(path.child(`${goName.charAt(0).toLowerCase()}${goName.slice(1)}`), "cannot be set");
    }
  }
}
