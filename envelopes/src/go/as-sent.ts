import { isAmountUnsent, sentAmounts, wasSentEmpty } from "../codec/member-notes.js";
import { compareQuantity, parseQuantity, roundUpQuantity } from "../codec/scalars/quantity.js";
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

/**
 * Returns an amount as Go holds it, in the notation in which it was sent: one that was not sent is not set, although it is
 * written as 0.
 */
export function amountAsSent(holder: JsonObject, name: string): JsonValue | undefined {
  if (isAmountUnsent(holder, name)) {
    return undefined;
  }
  const sent = sentAmounts(holder)?.get(name);
  const current = holder[name];
  return sent !== undefined && typeof current === "string" && isSameAmount(sent, current) ? sent : current;
}

/** Returns a map of amounts as Go holds it, each in the notation in which it was sent. */
export function amountsAsSent(holder: JsonObject, name: string): JsonObject | undefined {
  const amounts = mapAsSent(holder, name);
  if (amounts === undefined || sentAmounts(amounts) === undefined) {
    return amounts;
  }
  return Object.fromEntries(Object.keys(amounts).map((key) => [key, amountAsSent(amounts, key) ?? null]));
}

/** Reports whether an amount is still the one that was sent, or that rounded up to thousandths. */
function isSameAmount(sent: string, current: string): boolean {
  const [a, b] = [parseQuantity(sent), parseQuantity(current)];
  return compareQuantity(a, b) === 0 || compareQuantity(roundUpQuantity(a, -3), b) === 0;
}

/**
 * Reports whether a member of two objects is equal as Go holds it: a list or map that was sent empty differs from none.
 */
export function isSameAsSent(a: JsonObject, b: JsonObject, name: string): boolean {
  return isSameState(a[name], b[name]) && wasSentEmpty(a, name) === wasSentEmpty(b, name);
}
