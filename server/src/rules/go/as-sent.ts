import { type JsonArray, type JsonObject, wasSentEmpty } from "@gatehouse/envelopes";
import { isSameState } from "../../objects/is-same-state.js";

/** A list as Go holds it: one that was sent empty is there, although it is not written. */
export function listAsSent(holder: JsonObject, name: string): JsonArray | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? [] : undefined)) as JsonArray | undefined;
}

/** A map as Go holds it: one that was sent empty is there, although it is not written. */
export function mapAsSent(holder: JsonObject, name: string): JsonObject | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? {} : undefined)) as JsonObject | undefined;
}

/** Whether a list or map that may not change is what it was, where v1.29 takes one that was sent empty for a change of none. */
export function isSameAsSent(object: JsonObject, old: JsonObject, name: string): boolean {
  return isSameState(object[name], old[name]) && !wasSentEmpty(object, name);
}
