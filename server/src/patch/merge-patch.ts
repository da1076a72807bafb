import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import { copyMembers, member, setMember } from "./json-members.js";
import { decodeObjectPatch } from "./patch-errors.js";

/** The body of a merge patch; 400 if it is not an object. */
export function decodeMergePatch(patch: JsonValue): JsonObject {
  return decodeObjectPatch(patch, "error decoding patch: ");
}

/**
 * The document with a JSON merge patch (RFC 7386) applied: objects are merged, null removes a member, anything else
 * replaces. The arguments are not changed; the result shares parts with both.
 */
export function applyMergePatch(document: JsonValue, patch: JsonObject): JsonObject {
  const result = isJsonObject(document) ? copyMembers(document) : {};
  for (const key of Object.keys(patch)) {
    const change = patch[key];
    if (change === undefined) {
      continue;
    }
    if (change === null) {
      delete result[key];
    } else if (isJsonObject(change)) {
      // Merging with nothing is what removes the nulls of a member that is new.
      setMember(result, key, applyMergePatch(member(result, key) ?? null, change));
    } else {
      setMember(result, key, change);
    }
  }
  return result;
}
