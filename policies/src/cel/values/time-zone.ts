import { EvaluationError } from "./evaluation-error.js";
import { floorDivide } from "./time-arithmetic.js";
import type { Timestamp } from "./value.js";
import { countWork } from "./work.js";

const nanosecondsPerMillisecond = 1_000_000n;
const maxZones = 1000;
/** The work of finding the time in a zone of the IANA database. */
const namedZoneWork = 25_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const integer = /^[+-]?\d+$/;

/**
 * Returns the time of a timestamp on the clock of a zone, as the UTC fields of a date. The zone is a name of the IANA
 * database or an offset (`-05:30`); empty: UTC. Throws EvaluationError if there is no such zone.
 */
export function localTime(timestamp: Timestamp, zone: string): Date {
  const milliseconds = Number(floorDivide(timestamp.nanoseconds, nanosecondsPerMillisecond));
  if (zone === "" || zone === "UTC" || zone === "Local") {
    return new Date(milliseconds);
  }
  const colon = zone.indexOf(":");
  if (colon >= 0) {
    return new Date(milliseconds + offsetMinutes(zone, colon) * 60_000);
  }
  return namedZoneTime(milliseconds, zone);
}

function offsetMinutes(zone: string, colon: number): number {
  const hours = integerIn(zone.slice(0, colon));
  const minutes = integerIn(zone.slice(colon + 1));
  return zone.startsWith("-") ? hours * 60 - minutes : hours * 60 + minutes;
}

function integerIn(text: string): number {
  if (!integer.test(text)) {
    throw new EvaluationError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function namedZoneTime(milliseconds: number, zone: string): Date {
  countWork(namedZoneWork);
  const parts = new Map(
    formatOf(zone)
      .formatToParts(milliseconds)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
  const date = new Date(0);
  const year = part("year");
  date.setUTCFullYear(parts.get("era") === "BC" ? 1 - year : year, part("month") - 1, part("day"));
  date.setUTCHours(part("hour"), part("minute"), part("second"), ((milliseconds % 1000) + 1000) % 1000);
  return date;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) {
    return known;
  }
  if (!/^[A-Za-z]/.test(zone)) {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    if (formats.size < maxZones) {
      formats.set(zone, format);
    }
    return format;
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}
