import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { withoutNulls } from "@gatehouse/envelopes/json-patch";
import { badRequest } from "@gatehouse/envelopes/status";
import { decodeObjectPatch } from "./patch-errors.js";

/**
 * Returns the body of a merge patch; throws 400 if it is not an object. Without field validation v1.29 lets a list
 * replace the whole document, which then is no object of any kind.
 */
export function decodeMergePatch(patch: JsonValue, fieldValidation: "Ignore" | "Warn" | "Strict"): JsonValue {
  const isList = Array.isArray(patch);
  if (patch === null || (fieldValidation === "Ignore" && !isList && !isJsonObject(patch))) {
    throw invalidMergePatch();
  }
  return fieldValidation === "Ignore" && isList
    ? withoutNulls(patch)
    : decodeObjectPatch(patch, "error decoding patch: ");
}

/** Returns v1.29's error for an invalid merge patch, which gives no reason. */
export function invalidMergePatch(): Error {
  return badRequest("Invalid JSON Patch");
}
