import { booleanAt, isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** The members of a meta/v1 OwnerReference that garbage collection uses. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion: boolean;
}

/** Returns the owners that an object's metadata names. */
export function ownerReferencesOf(metadata: JsonObject): readonly OwnerReference[] {
  return listAt(metadata, "ownerReferences")
    .filter(isJsonObject)
    .map((reference) => ({
      apiVersion: textAt(reference, "apiVersion"),
      kind: textAt(reference, "kind"),
      name: textAt(reference, "name"),
      uid: textAt(reference, "uid"),
      blockOwnerDeletion: booleanAt(reference, "blockOwnerDeletion"),
    }));
}
