import { isAmountUnsent, wasSentEmpty } from "../codec/emptied-members.js";
import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import { isSameState } from "./is-same-state.js";

/** Returns a list as Go holds it: a list that was sent empty is present, although it is not written. */
export function listAsSent(holder: JsonObject, name: string): JsonArray | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? [] : undefined)) as JsonArray | undefined;
}

/** Returns a map as Go holds it: a map that was sent empty is present, although it is not written. */
export function mapAsSent(holder: JsonObject, name: string): JsonObject | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? {} : undefined)) as JsonObject | undefined;
}

/** Returns an amount as Go holds it: one that was not sent is not set, although it is written as 0. */
export function amountAsSent(holder: JsonObject, name: string): JsonValue | undefined {
  return isAmountUnsent(holder, name) ? undefined : holder[name];
}

/**
 * Reports whether a member of two objects is equal as Go holds it: a list or map that was sent empty differs from none.
 */
export function isSameAsSent(a: JsonObject, b: JsonObject, name: string): boolean {
  return isSameState(a[name], b[name]) && wasSentEmpty(a, name) === wasSentEmpty(b, name);
}
