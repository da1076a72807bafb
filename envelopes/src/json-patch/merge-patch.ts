import { sortMembers } from "../codec/copy-sorted.js";
import { setKey } from "../codec/object-plan.js";
import { isJsonObject, type JsonObject } from "../json/json.js";
import { member, shallowCopy, sortMembersInPlace, withoutNulls } from "./json-members.js";

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
    } else if (isJsonObject(current)) {
      // Of a list in the place of an object, v1.29 keeps the nulls.
      setKey(result, key, isJsonObject(change) ? applyMergePatch(current, change) : sortMembers(change));
    } else {
      // In a part that is new there is nothing to remove; v1.29 looks for nulls in lists, too.
      setKey(result, key, sortMembers(withoutNulls(change)));
    }
  }
  sortMembersInPlace(result);
  return result;
}
