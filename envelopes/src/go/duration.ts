import { DecodeError } from "../codec/decode-error.js";

const unitNanos: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3, // U+00B5, the micro sign
  μs: 1e3, // U+03BC, the Greek letter
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};

const nanosPerMillisecond = 1_000_000n;

const maxNanos = 2n ** 63n;

/** Returns the text that the API writes for a duration (`1h2m3.5s`, `0s`). Throws DecodeError. */
export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}

/** Parses a duration into nanoseconds. Accepts what Go's `time.ParseDuration` accepts and throws DecodeError with its texts. */
export function parseDuration(text: string): bigint {
  const signed = /^[+-]/.test(text);
  let rest = signed ? text.slice(1) : text;
  if (rest === "0") {
    return 0n;
  }
  if (rest === "") {
    throw invalid(text);
  }
  let total = 0n;
  while (rest !== "") {
    const number = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest);
    const [all = "", whole = "", fraction = ""] = number ?? [];
    if (whole === "" && fraction === "") {
      throw invalid(text);
    }
    rest = rest.slice(all.length);
    const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? "";
    if (unit === "") {
      throw new DecodeError(`time: missing unit in duration ${JSON.stringify(text)}`);
    }
    const nanos = Object.hasOwn(unitNanos, unit) ? unitNanos[unit] : undefined;
    if (nanos === undefined) {
      throw new DecodeError(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    }
    rest = rest.slice(unit.length);
    total += toNanos(whole, fraction, nanos, text);
    if (total > maxNanos) {
      throw invalid(text);
    }
  }
  const negative = text.startsWith("-");
  if (!negative && total === maxNanos) {
    throw invalid(text);
  }
  return negative ? -total : total;
}

function toNanos(whole: string, fraction: string, unit: number, text: string): bigint {
  // Nineteen digits are more than an int64 holds; without this a long text costs quadratic time.
  if (whole.replace(/^0+/, "").length > 19) {
    throw invalid(text);
  }
  // The digits of a fraction count only as far as an int64 can hold them.
  const digits = fraction.slice(0, 18);
  const part = digits === "" ? 0 : Math.trunc(Number(digits) * (unit / 10 ** digits.length));
  return BigInt(whole === "" ? 0 : whole) * BigInt(unit) + BigInt(part);
}

/**
 * Formats a duration in nanoseconds like Go's `Duration.String`: the largest unit first, fractions only of the
 * smallest.
 */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) {
    return "0s";
  }
  const sign = nanos < 0n ? "-" : "";
  const magnitude = nanos < 0n ? -nanos : nanos;
  if (magnitude < 1_000_000_000n) {
    const [unit, size] =
      magnitude < 1_000n
        ? (["ns", 1n] as const)
        : magnitude < 1_000_000n
          ? (["µs", 1_000n] as const)
          : (["ms", 1_000_000n] as const);
    return `${sign}${withFraction(magnitude, size)}${unit}`;
  }
  const seconds = magnitude / 1_000_000_000n;
  const minutes = seconds / 60n;
  const hours = minutes / 60n;
  const secondsText = `${withFraction(magnitude - minutes * 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) {
    return `${sign}${secondsText}`;
  }
  return hours === 0n ? `${sign}${minutes}m${secondsText}` : `${sign}${hours}h${minutes % 60n}m${secondsText}`;
}

/**
 * Parses a duration (`1h2m3.5s`, `300ms`, `0`) into milliseconds, with a fraction when the text is finer than that.
 * Returns undefined for a text that `parseDuration` does not accept.
 */
export function parseMilliseconds(text: string): number | undefined {
  try {
    const nanos = parseDuration(text);
    // In two parts, since doubles do not hold all nanoseconds of a hundred days or more.
    return Number(nanos / nanosPerMillisecond) + Number(nanos % nanosPerMillisecond) / Number(nanosPerMillisecond);
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}

/** Formats milliseconds as `formatDuration` formats nanoseconds: `1m0s`, `1.5s`, `100ms`, `0s`. */
export function formatMilliseconds(milliseconds: number): string {
  const fraction = BigInt(Math.round((milliseconds % 1) * Number(nanosPerMillisecond)));
  return formatDuration(BigInt(Math.trunc(milliseconds)) * nanosPerMillisecond + fraction);
}

function withFraction(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction =
    digits === 0
      ? ""
      : String(value % unit)
          .padStart(digits, "0")
          .replace(/0+$/, "");
  return fraction === "" ? String(value / unit) : `${value / unit}.${fraction}`;
}

function invalid(text: string): DecodeError {
  return new DecodeError(`time: invalid duration ${JSON.stringify(text)}`);
}
