import { goGroupVersionKind, isGroupVersion } from "@gatehouse/envelopes/go";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** Returns group, version and kind of an object as v1.29 prints them; all three count as empty with an invalid version. */
export function kindOf(object: JsonObject): string {
  const apiVersion = textAt(object, "apiVersion");
  return goGroupVersionKind(apiVersion, isGroupVersion(apiVersion) ? textAt(object, "kind") : "");
}

/** Returns an object as messages about owners of its fields name it. */
export function identityOf(object: JsonObject): string {
  return `${textAt(object, "metadata", "namespace")}/${textAt(object, "metadata", "name")}; ${kindOf(object)}`;
}
