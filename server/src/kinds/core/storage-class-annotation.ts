import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";

/** The annotation that is older than `storageClassName`, and wins if it is set. */
export const storageClassAnnotation = "volume.beta.kubernetes.io/storage-class";

/** Returns the warning about a volume or claim that still uses the annotation. */
export function storageClassAnnotationWarnings(object: JsonObject): readonly string[] {
  return Object.hasOwn(objectAt(object, "metadata", "annotations"), storageClassAnnotation)
    ? [
        `metadata.annotations[${storageClassAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      ]
    : [];
}
