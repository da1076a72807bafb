import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/**
 * Returns group, version and kind as v1.29 writes them; the core group has no name, and an invalid version counts as
 * empty.
 */
export function kindOf(object: JsonObject): string {
  const apiVersion = textAt(object, "apiVersion");
  return apiVersion.split("/").length > 2
    ? "/, Kind="
    : `${groupVersionText(apiVersion)}, Kind=${textAt(object, "kind")}`;
}

/** Returns a version as v1.29 writes it: the core group has no name. */
export function groupVersionText(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}

/** Returns an object as messages about owners of its fields name it. */
export function identityOf(object: JsonObject): string {
  return `${textAt(object, "metadata", "namespace")}/${textAt(object, "metadata", "name")}; ${kindOf(object)}`;
}
