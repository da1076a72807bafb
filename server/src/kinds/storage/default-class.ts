import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** Returns the name of a class, followed by `(default)` if one of the annotations makes it the default. */
export function nameAndDefault(object: JsonObject, annotations: readonly string[]): string {
  const isDefault = annotations.some((annotation) => textAt(object, "metadata", "annotations", annotation) === "true");
  return isDefault ? `${textAt(object, "metadata", "name")} (default)` : textAt(object, "metadata", "name");
}
