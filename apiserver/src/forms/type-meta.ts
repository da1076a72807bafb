import { copyMemberNotes } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { apiVersionOf, type GroupVersionKind } from "@gatehouse/envelopes/schema";

/** Returns the members of an object behind the kind and apiVersion of a kind, in the place of those that it has. */
export function withTypeMeta(object: JsonObject, kind: GroupVersionKind): JsonObject {
  const whole = { kind: kind.kind, apiVersion: apiVersionOf(kind), ...withoutTypeMeta(object) };
  copyMemberNotes(object, whole);
  return whole;
}

/** Returns the members of an object but for its kind and apiVersion. */
export function withoutTypeMeta({ kind: _kind, apiVersion: _apiVersion, ...members }: JsonObject): JsonObject {
  return members;
}
