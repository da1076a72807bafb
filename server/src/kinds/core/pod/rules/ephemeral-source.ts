import type { JsonValue } from "@gatehouse/envelopes";
import { isSet, objectAt } from "../../../../objects/json-fields.js";
import type { FieldErrors } from "../../../../rules/field-errors.js";
import type { FieldPath } from "../../../../rules/field-path.js";
import { checkAnnotations, checkLabels } from "../../../../rules/labels.js";

/** What of the metadata of a claim that is made for a pod is somebody else's, by JSON name, in the order of v1.29. */
const foreignMembers: readonly string[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** A claim that is made for the pod, and goes with it. */
export function checkEphemeralSource(source: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const at = path.child("volumeClaimTemplate");
  if (!isSet(source, "volumeClaimTemplate")) {
    errors.required(at);
    return;
  }
  const template = objectAt(source, "volumeClaimTemplate");
  const metadata = objectAt(template, "metadata");
  checkAnnotations(objectAt(metadata, "annotations"), at.child("metadata").child("annotations"), errors);
  checkLabels(objectAt(metadata, "labels"), at.child("metadata").child("labels"), errors);
  for (const member of foreignMembers.filter((name) => isSet(metadata, name))) {
    // Go calls the identifier `UID`, and only the first letter is made small.
    errors.forbidden(at.child("metadata").child(member === "uid" ? "uID" : member), "cannot be set");
  }
}
