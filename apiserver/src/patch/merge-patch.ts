import { setKey, sortMembers } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { member, shallowCopy, sortMembersInPlace, withoutNulls } from "@gatehouse/envelopes/json-patch";
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

/**
 * Returns the document with a JSON merge patch (RFC 7386) applied: objects are merged, null removes a member, anything
 * else replaces. The arguments are not changed; the result shares parts with both. Members of merged and of new objects
 * are sorted.
 */
export function applyMergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  const result = shallowCopy(document);
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined) {
      continue;
    }
    const current = member(result, key);
    if (change === null) {
      delete result[key];
    } else if (isJsonObject(current) && isJsonObject(change)) {
      setKey(result, key, applyMergePatch(current, change));
    } else {
      // In a part that is new there is nothing to remove; v1.29 looks for nulls in lists, too.
      setKey(result, key, sortMembers(withoutNulls(change)));
    }
  }
  sortMembersInPlace(result);
  return result;
}
