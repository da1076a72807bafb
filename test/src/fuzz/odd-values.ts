import type { JsonValue } from "@gatehouse/envelopes/json";
import type { Random } from "./random.js";

/** Names that code in JavaScript stumbles over. */
const treacherousKeys = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "__defineGetter__"];

const oddTexts = [
  "",
  " ",
  "a",
  "A",
  "-",
  "a.b",
  "a/b",
  "..",
  ".",
  "\u0000",
  "\n",
  "é",
  "漢字",
  "\u{1F600}",
  "\uD800",
  "%00",
  "null",
  "true",
  "1e400",
  "9223372036854775808",
  "a".repeat(64),
  "a".repeat(254),
  "<script>&\u2028",
  '"\\',
  "1970-01-01T00:00:00Z",
  "9999999-01-01T00:00:00Z",
  "1h",
  "100Ei",
  "1e9999",
  "-0",
  "0x1F",
  "===",
  "$patch",
  ...treacherousKeys,
];

const oddNumbers = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e21,
  -1e308,
  2 ** 31,
  2 ** 31 - 1,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  1e-300,
];

/** Any text that may trouble a parser, a validator or a store. */
export function oddText(random: Random): string {
  return random.chance(0.1) ? random.bytes(random.below(20)).toString("latin1") : random.pick(oddTexts);
}

/** Any JSON value, a few levels deep. */
export function oddValue(random: Random, depth = 0): JsonValue {
  return random.weighted<JsonValue>([
    [2, () => null],
    [2, () => random.chance(0.5)],
    [4, () => random.pick(oddNumbers)],
    [6, oddText],
    [depth > 3 ? 0 : 3, () => Array.from({ length: random.below(4) }, () => oddValue(random, depth + 1))],
    [depth > 3 ? 0 : 3, () => oddObject(random, depth)],
  ]);
}

export function oddKey(random: Random): string {
  return random.pick(["metadata", "spec", "status", "name", "data", "kind", "x", ...treacherousKeys, ...oddTexts]);
}

function oddObject(random: Random, depth: number): JsonValue {
  const entries = Array.from({ length: random.below(4) }, () => [oddKey(random), oddValue(random, depth + 1)] as const);
  return Object.fromEntries(entries);
}

/** Numbers as JSON texts that JavaScript's own numbers cannot say. */
export const oddNumberTexts = [
  "1e400",
  "-1e400",
  "12345678901234567890",
  "1".repeat(400),
  "0.1e-400",
  "01",
  "+1",
  "1.",
  ".5",
  "NaN",
  "-",
];

/** Encodes text for a path or query. Half of a surrogate pair has no encoding. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/[\uD800-\uDFFF]/g, "?"));
}
