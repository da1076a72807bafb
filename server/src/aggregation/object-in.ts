import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** Returns the JSON object in an answer of another server; an empty one where there is none. */
export function objectIn(text: Buffer | string): JsonObject {
  try {
    const value = JSON.parse(text.toString()) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
