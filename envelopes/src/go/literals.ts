import { type HeldQuantity, heldQuantity } from "../codec/scalars/held-quantity.js";
import { canonicalQuantity } from "../codec/scalars/quantity.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { textsAt } from "../json/json-fields.js";
import { amountAsSent } from "./as-sent.js";
import { someAddress } from "./pointer.js";
import { goQuote } from "./quote.js";

/*
 * Values as Go's `%#v` writes them: v1.29 shows values of its own types so in messages. Types are named as in its
 * source, with their package. A fixed address stands where v1.29 prints an address of memory.
 */

/** Returns a struct: `core.Taint{Key:"a", Value:"b"}`. The members are Go syntax already, in the order of the type. */
export function goLiteral(type: string, members: Readonly<Record<string, string>>): string {
  const shown = Object.entries(members).map(([name, value]) => `${name}:${value}`);
  return `${type}{${shown.join(", ")}}`;
}

/** Returns a slice of strings, or of a type made of them. An absent list is nil, an empty one is not. */
export function goTexts(type: string, list: JsonValue | undefined): string {
  return goSlice(type, list, () => textsAt(list).map(goQuote));
}

/** Returns a slice; `items` makes its items and is not called for an absent list, which is nil. */
export function goSlice(type: string, list: JsonValue | undefined, items: () => readonly string[]): string {
  return Array.isArray(list) ? `[]${type}{${items().join(", ")}}` : `[]${type}(nil)`;
}

/** Returns a quantity, by the text as it was sent. `isListed` says that it is an amount in a list of resources. */
export function goQuantity(text: string, isListed = false): string {
  return goHeldQuantity(heldQuantity(text, isListed));
}

/**
 * Returns an amount of a list of resources. `isTextKnown` says that v1.29 has shown the amount as text before, which is kept
 * then.
 */
export function goListedQuantity(amounts: JsonObject, resource: string, isTextKnown = false): string {
  const text = String(amountAsSent(amounts, resource) ?? "0");
  const held = heldQuantity(text, true);
  return goHeldQuantity(isTextKnown ? { ...held, text: canonicalQuantity(String(amounts[resource] ?? "0")) } : held);
}

function goHeldQuantity({ value, scale, decimal, text, format }: HeldQuantity): string {
  const amount = goLiteral("resource.int64Amount", { value: String(value), scale: String(scale) });
  const big = goLiteral("resource.infDecAmount", { Dec: `(*inf.Dec)(${decimal === undefined ? "nil" : someAddress})` });
  return goLiteral("resource.Quantity", { i: amount, d: big, s: goQuote(text), Format: goQuote(format) });
}

/**
 * Returns a time as Go prints it for people: `2024-01-01 00:00:00.5 +0000 UTC`. `time` is canonical; an absent one is
 * the zero time.
 */
export function goTime(time: JsonValue | undefined): string {
  if (typeof time !== "string" || time === "") {
    return "0001-01-01 00:00:00 +0000 UTC";
  }
  const fraction = time.slice(19, -1).replace(/\.?0*$/, "");
  return `${time.slice(0, 10)} ${time.slice(11, 19)}${fraction} +0000 UTC`;
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * Returns a time inside a struct as the call that makes it: `time.Date(...)`. `time` is canonical; an absent one is the
 * zero time.
 */
export function goDate(time: JsonValue | undefined): string {
  if (typeof time !== "string") {
    return "time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)";
  }
  const [year = 1, month = 1, ...rest] = time.split(/\D/).slice(0, 6).map(Number);
  const nanoseconds = Number((/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0"));
  return `time.Date(${year}, time.${months[month - 1]}, ${rest.join(", ")}, ${nanoseconds}, time.Local)`;
}
