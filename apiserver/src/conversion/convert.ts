import type { JsonObject } from "@gatehouse/envelopes/json";

/** Makes the members of an object (without kind and apiVersion) in another version; does not change the object. */
export type ConvertMembers = (object: JsonObject) => JsonObject;

/** A pair of conversions between a served version of a kind and the stored one. */
export interface Conversion {
  readonly toStored: ConvertMembers;
  readonly fromStored: ConvertMembers;
}

/** The conversion between versions that differ in nothing but their names. */
export const sameShape: Conversion = { toStored: (object) => object, fromStored: (object) => object };

/**
 * Returns an object in another version of its kind. The result may share members with the object, which is not changed.
 */
export function convert(object: JsonObject, apiVersion: string, convertMembers: ConvertMembers): JsonObject {
  const { kind, apiVersion: _apiVersion, ...members } = object;
  return { kind, apiVersion, ...convertMembers(members) };
}
