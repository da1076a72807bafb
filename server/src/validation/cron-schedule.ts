import { goQuote } from "@gatehouse/envelopes/go";

/** The fields of a schedule: the least and the greatest number, and names that stand for numbers. */
const fields: readonly CronField[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: namesFrom(1, "jan feb mar apr may jun jul aug sep oct nov dec") },
  { least: 0, most: 6, names: namesFrom(0, "sun mon tue wed thu fri sat") },
];

interface CronField {
  readonly least: number;
  readonly most: number;
  readonly names?: ReadonlyMap<string, number>;
}

function namesFrom(first: number, names: string): ReadonlyMap<string, number> {
  return new Map(names.split(" ").map((name, index) => [name, first + index]));
}

const descriptors = new Set(["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"]);
const every = "@every ";
const zonePrefix = /^(?:CRON_)?TZ=/;

/**
 * Returns v1.29's message for a text that is neither five fields nor a name such as `@daily`; undefined for a valid
 * schedule.
 */
export function cronScheduleProblem(schedule: string): string | undefined {
  let text = schedule;
  if (zonePrefix.test(text)) {
    const end = text.indexOf(" ");
    const zone = text.slice(text.indexOf("=") + 1, end < 0 ? undefined : end);
    const problem = end < 0 ? `unknown time zone ${zone}` : timeZoneProblem(zone);
    if (problem !== undefined) {
      return `provided bad location ${zone}: ${problem}`;
    }
    text = text.slice(end).trim();
  }
  if (text.startsWith("@")) {
    return descriptorProblem(text);
  }
  // Splits at white space as Go does; a text of white space has no fields.
  const given = text.split(/[\s\x85]+/u).filter((field) => field !== "");
  if (given.length !== fields.length) {
    return `expected exactly 5 fields, found ${given.length}: [${given.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    for (const range of (given[index] ?? "").split(",")) {
      const problem = range === "" ? undefined : rangeProblem(range, field);
      if (problem !== undefined) {
        return problem;
      }
    }
  }
  return undefined;
}

/** Returns v1.29's message for a range that is not `number`, `number-number` or `*`, each optionally with `/step`. */
function rangeProblem(range: string, { least, most, names }: CronField): string | undefined {
  const [bounds = "", step, ...moreSteps] = range.split("/");
  const [low = "", high, ...moreBounds] = bounds.split("-");
  const numbers = low === "*" || low === "?" ? { low: least, high: most } : undefined;
  let start = numbers?.low;
  let end = numbers?.high;
  if (start === undefined) {
    const first = numberOf(low, names);
    if (typeof first === "string") {
      return first;
    }
    if (moreBounds.length > 0) {
      return `too many hyphens: ${range}`;
    }
    const last = high === undefined ? first : numberOf(high, names);
    if (typeof last === "string") {
      return last;
    }
    start = first;
    end = last;
  }
  if (moreSteps.length > 0) {
    return `too many slashes: ${range}`;
  }
  const width = step === undefined ? 1 : numberOf(step, undefined);
  if (typeof width === "string") {
    return width;
  }
  // `3/2` extends to the greatest number.
  return boundsProblem(
    range,
    start,
    step !== undefined && high === undefined ? most : (end ?? most),
    width,
    least,
    most,
  );
}

function boundsProblem(
  range: string,
  start: number,
  end: number,
  step: number,
  least: number,
  most: number,
): string | undefined {
  if (start < least) {
    return `beginning of range (${start}) below minimum (${least}): ${range}`;
  }
  if (end > most) {
    return `end of range (${end}) above maximum (${most}): ${range}`;
  }
  if (start > end) {
    return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  }
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** Returns the number, or v1.29's message if the text is none. */
function numberOf(text: string, names: ReadonlyMap<string, number> | undefined): number | string {
  const named = names?.get(text.toLowerCase());
  if (named !== undefined) {
    return named;
  }
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  }
  const number = BigInt(text.replace(/^\+/, ""));
  if (number > 2n ** 63n - 1n || number < -(2n ** 63n)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`;
  }
  return number < 0n ? `negative number (${number}) not allowed: ${text}` : Number(number);
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) {
    return undefined;
  }
  if (!text.startsWith(every)) {
    return `unrecognized descriptor: ${text}`;
  }
  const problem = durationProblem(text.slice(every.length));
  return problem === undefined ? undefined : `failed to parse duration ${text}: ${problem}`;
}

const durationUnits = new Set(["ns", "us", "µs", "μs", "ms", "s", "m", "h"]);

/** Returns Go's message for a text that is not a duration: numbers, each with a unit. */
function durationProblem(text: string): string | undefined {
  const invalid = `time: invalid duration ${goQuote(text)}`;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") {
    return undefined;
  }
  if (rest === "") {
    return invalid;
  }
  while (rest !== "") {
    const number = /^(?:\d+(?:\.\d*)?|\.\d+)/.exec(rest)?.[0];
    if (number === undefined || number.length > 18) {
      return invalid;
    }
    rest = rest.slice(number.length);
    const unit = /^[^\d.]*/.exec(rest)?.[0] ?? "";
    if (unit === "") {
      return `time: missing unit in duration ${goQuote(text)}`;
    }
    if (!durationUnits.has(unit)) {
      return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`;
    }
    rest = rest.slice(unit.length);
  }
  return undefined;
}

/** Returns Go's message for an unknown time zone; undefined for a known one. */
export function timeZoneProblem(zone: string): string | undefined {
  if (zone === "" || zone === "UTC" || zone === "Local") {
    return undefined;
  }
  if (zone.includes("..") || zone.startsWith("/") || zone.includes("\\")) {
    return "time: invalid location name";
  }
  return isKnownTimeZone(zone) ? undefined : `unknown time zone ${zone}`;
}

/**
 * Reports whether Go knows a time zone of that name. Case counts; an older name of a zone, which Node resolves to the
 * new one, is known; `+01:00` is not.
 */
function isKnownTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) {
    return false;
  }
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase();
  } catch {
    return false;
  }
}
