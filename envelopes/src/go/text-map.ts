import type { JsonObject } from "../json/json.js";
import { mapAsSent } from "./as-sent.js";
import { goQuote } from "./quote.js";

/** Returns a map of texts in `holder` as Go prints it: a map that was sent empty is not nil. */
export function goTextMapOf(holder: JsonObject, name: string): string {
  return goTextMap(mapAsSent(holder, name));
}

/** Returns a map of texts as Go prints it; an empty one differs from none. */
export function goTextMap(map: JsonObject | undefined): string {
  if (map === undefined) {
    return "map[string]string(nil)";
  }
  const entries = Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[string]string{${entries.map(([key, value]) => `${goQuote(key)}:${goQuote(String(value))}`).join(", ")}}`;
}
