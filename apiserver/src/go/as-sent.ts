import { type JsonArray, type JsonObject, wasSentEmpty } from "@gatehouse/envelopes";
import { isSameState } from "../objects/is-same-state.js";

/** A list as Go holds it: one that was sent empty is there, although it is not written. */
export function listAsSent(holder: JsonObject, name: string): JsonArray | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? [] : undefined)) as JsonArray | undefined;
}

/** A map as Go holds it: one that was sent empty is there, although it is not written. */
export function mapAsSent(holder: JsonObject, name: string): JsonObject | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? {} : undefined)) as JsonObject | undefined;
}

/** Whether a member of two objects is the same as Go holds it: a list or map that was sent empty is not the same as none. */
export function isSameAsSent(a: JsonObject, b: JsonObject, name: string): boolean {
  return isSameState(a[name], b[name]) && wasSentEmpty(a, name) === wasSentEmpty(b, name);
}
