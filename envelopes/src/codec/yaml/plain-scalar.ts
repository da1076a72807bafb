import type { JsonValue } from "../../json/json.js";

// How gopkg.in/yaml.v2, which sigs.k8s.io/yaml wraps, reads a plain scalar: YAML 1.1 booleans, octal numbers with a leading
// zero, no base 60. Timestamps stay text.

/** A scalar as its text is understood: the short name of its tag, and its value. */
export interface ResolvedScalar {
  readonly tag: "null" | "bool" | "int" | "float" | "timestamp" | "str";
  /** Infinity and NaN, which JSON cannot hold, are numbers like others here. */
  readonly value: JsonValue;
}

const words = new Map<string, ResolvedScalar>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, { tag: "null", value: null }] as const),
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map(
    (word) => [word, { tag: "bool", value: true }] as const,
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map(
    (word) => [word, { tag: "bool", value: false }] as const,
  ),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map(
    (word) => [word, { tag: "float", value: Number.POSITIVE_INFINITY }] as const,
  ),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, { tag: "float", value: Number.NEGATIVE_INFINITY }] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, { tag: "float", value: Number.NaN }] as const),
]);

/** Returns what an unquoted scalar stands for. A timestamp has its text for a value. */
export function resolvePlainScalar(text: string): ResolvedScalar {
  const known = words.get(text) ?? (/^[-+.0-9]/.test(text) ? resolveNumber(text) : undefined);
  return known ?? { tag: isTimestamp(text) ? "timestamp" : "str", value: text };
}

function resolveNumber(text: string): ResolvedScalar | undefined {
  // Go's ParseFloat, which alone looks at what begins with a point, takes no underscores.
  const plain = text.startsWith(".") ? text : text.replaceAll("_", "");
  const integer = resolveInteger(plain);
  if (integer !== undefined) {
    return { tag: "int", value: integer };
  }
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)) {
    const value = Number(plain);
    return Number.isFinite(value) ? { tag: "float", value } : undefined;
  }
  return undefined;
}

const timestamp =
  /^\d{4}-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d)))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/;

/** Reports whether a text is a time in one of the four layouts that yaml.v2 knows. */
function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (match === null) {
    return false;
  }
  const [month = 0, day = 0, ...clock] = match.slice(1).map((part) => Number(part ?? 0));
  const [hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0, hour2 = 0, minute2 = 0, second2 = 0] = clock;
  const days = new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate();
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= days;
  const isClock = Math.max(hour, hour2) < 24 && Math.max(minute, minute2, second, second2) < 60;
  return isDate && isClock && zoneHour <= 24 && zoneMinute < 60;
}

/** Parses an integer like Go's ParseInt with base 0, and as yaml.v2 with a sign behind `0b`; undefined beyond 64 bits. */
function resolveInteger(plain: string): JsonValue | undefined {
  const signed = /^0b[-+]/.test(plain) ? `${plain.charAt(2)}0b${plain.slice(3)}` : plain;
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(signed);
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

/** Reports whether yaml.v2 writes text without quotes: it is read as text, and other YAML 1.1 readers see no number in base 60. */
export function isPlainText(text: string): boolean {
  return resolvePlainScalar(text).tag === "str" && !looksLikeBase60(text);
}

/** Reports whether text is a number for YAML 1.1 readers with base 60, such as `1:30`. */
function looksLikeBase60(text: string): boolean {
  return /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}
