import { type JsonObject, type JsonValue, valueAt } from "@gatehouse/envelopes/json";
import type { TableContext } from "./table-definition.js";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
/** The longest duration in seconds: v1.29 counts nanoseconds in 64 bits, and shows longer durations as this one. */
const longest = 9_223_372_036;

/**
 * Returns a duration in two or three significant digits, as kubectl users know it: `47s`, `3m20s`, `5h`, `2d3h`,
 * `400d`, `3y12d`, and `292y` at most. Slightly negative values are clock skew and show as `0s`; others as `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.min(Math.trunc(milliseconds / 1000), longest);
  if (seconds < -1) {
    return "<invalid>";
  }
  if (seconds < 0) {
    return "0s";
  }
  if (seconds < 2 * minute) {
    return `${seconds}s`;
  }
  if (seconds < 10 * minute) {
    return twoParts(seconds, minute, "m", 1, "s");
  }
  if (seconds < 3 * hour) {
    return `${Math.floor(seconds / minute)}m`;
  }
  if (seconds < 8 * hour) {
    return twoParts(seconds, hour, "h", minute, "m");
  }
  if (seconds < 2 * day) {
    return `${Math.floor(seconds / hour)}h`;
  }
  if (seconds < 8 * day) {
    return twoParts(seconds, day, "d", hour, "h");
  }
  if (seconds < 2 * year) {
    return `${Math.floor(seconds / day)}d`;
  }
  if (seconds < 8 * year) {
    return twoParts(seconds, year, "y", day, "d");
  }
  return `${Math.floor(seconds / year)}y`;
}

/** Returns a duration in two units, `3m20s`; the smaller one is left out when it is zero. */
function twoParts(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const first = Math.floor(seconds / large);
  const second = Math.floor((seconds % large) / small);
  return second === 0 ? `${first}${largeUnit}` : `${first}${largeUnit}${second}${smallUnit}`;
}

/** Milliseconds since the epoch of an RFC 3339 time; undefined when it is absent or no time. */
export function parseTime(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string") {
    return undefined;
  }
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

/** Returns the time since `time` as a short text; `<unknown>` for no time. */
export function ageOf(time: JsonValue | undefined, context: TableContext): string {
  const milliseconds = parseTime(time);
  return milliseconds === undefined ? "<unknown>" : humanDuration(context.now - milliseconds);
}

/** The usual Age cell. */
export function objectAge(object: JsonObject, context: TableContext): string {
  return ageOf(valueAt(object, "metadata", "creationTimestamp"), context);
}
