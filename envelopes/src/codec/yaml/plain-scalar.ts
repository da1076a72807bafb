import type { JsonValue } from "../../json/json.js";

// How gopkg.in/yaml.v2, which sigs.k8s.io/yaml wraps, reads a plain scalar: YAML 1.1 booleans, octal numbers with a leading
// zero, no base 60. Timestamps stay text.

const words = new Map<string, JsonValue>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) => [word, true] as const),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) => [word, false] as const),
]);

const infinities = new Set([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"]);
const notNumbers = new Set([".nan", ".NaN", ".NAN"]);

/** Returns the value of an unquoted scalar; undefined for infinity and not-a-number, which JSON cannot hold. */
export function resolvePlainScalar(text: string): JsonValue | undefined {
  const word = words.get(text);
  if (word !== undefined) {
    return word;
  }
  if (infinities.has(text) || notNumbers.has(text)) {
    return undefined;
  }
  return /^[-+.0-9]/.test(text) ? (resolveNumber(text) ?? text) : text;
}

function resolveNumber(text: string): JsonValue | undefined {
  const plain = text.replaceAll("_", "");
  const integer = resolveInteger(plain);
  if (integer !== undefined) {
    return integer;
  }
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)) {
    const value = Number(plain);
    return Number.isFinite(value) ? value : undefined;
  }
  return undefined;
}

/** Parses an integer like Go's ParseInt with base 0; undefined beyond 64 bits. */
function resolveInteger(plain: string): JsonValue | undefined {
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(plain);
  const digits = match?.[2];
  if (digits === undefined || digits.length > 66) {
    return undefined;
  }
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = match?.[1] === "-" ? -magnitude : magnitude;
  if (BigInt.asIntN(64, value) !== value && BigInt.asUintN(64, value) !== value) {
    return undefined;
  }
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Reports whether unquoted text is read as text. */
export function readsAsText(text: string): boolean {
  return resolvePlainScalar(text) === text && text !== "<<" && !looksLikeTimestamp(text) && !looksLikeBase60(text);
}

function looksLikeTimestamp(text: string): boolean {
  return /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]| )[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z| ?[-+][0-9]{2}:[0-9]{2})?)?$/.test(
    text,
  );
}

/** Reports whether text is a number for YAML 1.1 readers with base 60, such as `1:30`. */
function looksLikeBase60(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}
