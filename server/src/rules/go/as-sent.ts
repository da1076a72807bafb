import { type JsonArray, type JsonObject, wasSentEmpty } from "@gatehouse/envelopes";

/** A list as Go holds it: one that was sent empty is there, although it is not written. */
export function listAsSent(holder: JsonObject, name: string): JsonArray | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? [] : undefined)) as JsonArray | undefined;
}

/** A map as Go holds it: one that was sent empty is there, although it is not written. */
export function mapAsSent(holder: JsonObject, name: string): JsonObject | undefined {
  return (holder[name] ?? (wasSentEmpty(holder, name) ? {} : undefined)) as JsonObject | undefined;
}
