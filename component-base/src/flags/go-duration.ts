const millisecondsPerUnit: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  ["\u00b5s", 1e-3],
  ["\u03bcs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Go counts durations in 64-bit nanoseconds, about 292 years. */
const maxMilliseconds = 2 ** 63 / 1e6;

/**
 * Milliseconds of a duration in Go's text form (`1h2m3.5s`, `300ms`, `0`), as `time.ParseDuration` reads it; `undefined`
 * if the text is not one. The result has a fraction when the text is finer than a millisecond.
 */
export function parseGoDuration(text: string): number | undefined {
  const unsigned = text.startsWith("-") || text.startsWith("+") ? text.slice(1) : text;
  if (unsigned === "0") {
    return 0;
  }
  const part = /(\d+\.?\d*|\.\d+)([a-z\u00b5\u03bc]+)/y;
  let milliseconds = 0;
  let end = 0;
  while (end < unsigned.length) {
    part.lastIndex = end;
    const match = part.exec(unsigned);
    const unit = millisecondsPerUnit.get(match?.[2] ?? "");
    if (match === null || unit === undefined) {
      return undefined;
    }
    milliseconds += Number(match[1]) * unit;
    end = part.lastIndex;
  }
  if (end === 0 || milliseconds >= maxMilliseconds) {
    return undefined;
  }
  // To the nanosecond, which also drops the dust of binary fractions (2.3 * 1000).
  const rounded = Math.floor(milliseconds) + Math.round((milliseconds % 1) * 1e6) / 1e6;
  return text.startsWith("-") && rounded !== 0 ? -rounded : rounded;
}

/** Milliseconds as Go prints a duration: `1m0s`, `1.5s`, `100ms`, `0s`. */
export function formatGoDuration(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const sign = milliseconds < 0 ? "-" : "";
  if (size < 5e-7) {
    return "0s";
  }
  if (size < 1000) {
    const [unit, perUnit] = size < 1e-3 ? ["ns", 1e-6] : size < 1 ? ["\u00b5s", 1e-3] : ["ms", 1];
    return `${sign}${decimal(size, Number(perUnit))}${unit}`;
  }
  const hours = Math.floor(size / 3_600_000);
  const minutes = Math.floor((size % 3_600_000) / 60_000);
  const seconds = `${decimal(size % 60_000, 1000)}s`;
  return hours > 0 ? `${sign}${hours}h${minutes}m${seconds}` : `${sign}${minutes > 0 ? `${minutes}m` : ""}${seconds}`;
}

/** `milliseconds` counted in a unit, exact to the nanosecond, without trailing zeros. */
function decimal(milliseconds: number, perUnit: number): string {
  const nanoseconds = Math.round(milliseconds * 1e6);
  const nanosecondsPerUnit = Math.round(perUnit * 1e6);
  const digits = Math.round(Math.log10(nanosecondsPerUnit));
  const fraction = String(nanoseconds % nanosecondsPerUnit)
    .padStart(digits, "0")
    .slice(0, digits)
    .replace(/0+$/, "");
  return `${Math.floor(nanoseconds / nanosecondsPerUnit)}${fraction === "" ? "" : `.${fraction}`}`;
}
