import { DecodeError } from "@gatehouse/envelopes/errors";
import { parseDuration } from "@gatehouse/envelopes/go";

/** Reports whether a text is a day that exists, `2006-01-02`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) {
    return false;
  }
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Reports whether a text is a day and a time of it, with any one character before the fraction of a second, as v1.29's
 * pattern has it.
 */
export function isDateTime(text: string): boolean {
  const parts = text.toLowerCase().split("t");
  const [day = "", time = ""] = parts;
  if (parts.length < 2 || !isDate(day)) {
    return false;
  }
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  return match !== null && (match[1] as string) <= "23" && (match[2] as string) <= "59" && (match[3] as string) <= "59";
}

/**
 * Reports whether a text is a duration as Go writes it, or holds at least one number with a unit of time (`3 days`).
 */
export function isScalaDuration(text: string): boolean {
  if (isGoDuration(text)) {
    return true;
  }
  let isOne = false;
  // The look behind keeps a run of digits from being tried again from each of them.
  for (const match of text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g)) {
    if (BigInt(match[1] as string) >= 2n ** 63n) {
      return false;
    }
    const unit = (match[2] as string).toLowerCase();
    isOne ||= shortUnits.has(unit) || longUnits.some((long) => unit.startsWith(long));
  }
  return isOne;
}

const shortUnits: ReadonlySet<string> = new Set(["ns", "us", "\u00b5s", "ms", "s", "m", "h", "hr", "d", "w", "wk"]);
const longUnits = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

function isGoDuration(text: string): boolean {
  try {
    parseDuration(text);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) {
      return false;
    }
    throw error;
  }
}
