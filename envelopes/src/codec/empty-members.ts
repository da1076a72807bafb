import type { JsonObject, JsonValue } from "../json/json.js";

/*
 * A list or map that is always written may be empty while an object is on its way to the store: v1.29 shows it so to
 * admission. Protobuf cannot tell an empty list from none, so that clients read null once the object is stored.
 */

/** An empty list or map that becomes null when its object is stored. */
export interface EmptyMember {
  readonly owner: JsonObject;
  readonly key: string;
}

/** The handling of empty lists and maps that are always written: kept, replaced by null, or kept and listed. */
export type EmptyHandling = "kept" | "null" | EmptyMember[];

/** Returns the value to write for an empty list or map. */
export function handledEmpty(owner: JsonObject, key: string, value: JsonValue, handling: EmptyHandling): JsonValue {
  if (handling === "null") {
    return null;
  }
  if (handling !== "kept" && value !== null) {
    handling.push({ owner, key });
  }
  return value;
}

/** Writes null in the place of empty lists and maps, as an object has it once it is stored. */
export function writeEmptyAsNull(members: readonly EmptyMember[]): void {
  for (const { owner, key } of members) {
    owner[key] = null;
  }
}
