import { DecodeError } from "../../errors.js";

/** A point in time as protobuf carries it. */
export interface Timestamp {
  /** Seconds since 1970-01-01T00:00:00Z; may be negative. */
  readonly seconds: number;
  readonly nanos: number;
}

const layoutSeconds = "2006-01-02T15:04:05Z07:00";
const layoutMicros = "2006-01-02T15:04:05.000000Z07:00";

/** The seconds of 0001-01-01T00:00:00Z, Go's zero time, which JSON shows as null. */
export const zeroTimeSeconds = -62135596800;

/**
 * Returns RFC 3339 text as the API writes it: UTC, whole seconds; null for the zero time. A fraction in the input is
 * dropped. Throws DecodeError with the text of Go's `time.Parse`.
 */
export function canonicalTime(text: string): string | null {
  if (isCanonical(text, 20) && !text.startsWith("0001-")) {
    return text;
  }
  return formatTime(parseTime(text).seconds);
}

/**
 * Returns the canonical text like `canonicalTime`, with exactly six digits of fraction, which the input must have too.
 */
export function canonicalMicroTime(text: string): string | null {
  if (isCanonical(text, 27) && !text.startsWith("0001-")) {
    return text;
  }
  const { seconds, nanos } = parseMicroTime(text);
  return formatMicroTime(seconds, nanos);
}

/** Parses RFC 3339 text. Throws DecodeError with the text of Go's `time.Parse`. */
export function parseTime(text: string): Timestamp {
  if (isCanonical(text, 20)) {
    return { seconds: Date.parse(text) / 1000, nanos: 0 };
  }
  return new LayoutParser(text, layoutSeconds).parse(false);
}

/** Parses RFC 3339 text with six digits of fraction. */
export function parseMicroTime(text: string): Timestamp {
  return new LayoutParser(text, layoutMicros).parse(true);
}

/** Reports whether a time is before the year 0 or after 9999: its text is one that is not parsed. */
export function isFarTime(seconds: number): boolean {
  return seconds < -62_167_219_200 || seconds > 253_402_300_799;
}

/** Returns the text of a time in whole seconds; null for the zero time. */
export function formatTime(seconds: number): string | null {
  return seconds === zeroTimeSeconds ? null : `${dateAndTime(seconds)}Z`;
}

/** Returns the text of a time with `nanos` cut to microseconds; null for the zero time. */
export function formatMicroTime(seconds: number, nanos: number): string | null {
  if (seconds === zeroTimeSeconds && nanos === 0) {
    return null;
  }
  return `${dateAndTime(seconds)}.${String(Math.trunc(nanos / 1000)).padStart(6, "0")}Z`;
}

function dateAndTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year)) {
    throw new DecodeError(`time out of range: ${seconds} seconds`);
  }
  const month = pad2(date.getUTCMonth() + 1);
  const day = pad2(date.getUTCDate());
  const clock = `${pad2(date.getUTCHours())}:${pad2(date.getUTCMinutes())}:${pad2(date.getUTCSeconds())}`;
  const yearText = String(Math.abs(year)).padStart(4, "0");
  return `${year < 0 ? "-" : ""}${yearText}-${month}-${day}T${clock}`;
}

function pad2(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * Reports whether text needs no change: every position right, every number in its range, a day that all months have.
 */
function isCanonical(text: string, length: 20 | 27): boolean {
  return (
    text.length === length &&
    text.charCodeAt(length - 1) === 0x5a &&
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a &&
    twoDigits(text, 0) <= 99 &&
    twoDigits(text, 2) <= 99 &&
    inRange(twoDigits(text, 5), 1, 12) &&
    inRange(twoDigits(text, 8), 1, 28) &&
    twoDigits(text, 11) <= 23 &&
    twoDigits(text, 14) <= 59 &&
    twoDigits(text, 17) <= 59 &&
    (length === 20 ||
      (text.charCodeAt(19) === 0x2e &&
        twoDigits(text, 20) <= 99 &&
        twoDigits(text, 22) <= 99 &&
        twoDigits(text, 24) <= 99))
  );
}

function inRange(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

/** Returns the number of two digits; NaN, which compares as false, if they are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A parser that walks the parts of a layout as `time.Parse` does, because the error names the part that fails. */
class LayoutParser {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  parse(sixDigits: boolean): Timestamp {
    const year = this.#year();
    this.#literal("-");
    const month = this.#number("01", true);
    this.#check(month >= 1 && month <= 12, "month");
    this.#literal("-");
    const day = this.#number("02", true);
    this.#literal("T");
    const hour = this.#number("15", false);
    this.#check(hour <= 23, "hour");
    this.#literal(":");
    const minute = this.#number("04", true);
    this.#check(minute <= 59, "minute");
    this.#literal(":");
    const second = this.#number("05", true);
    this.#check(second <= 59, "second");
    const nanos = sixDigits ? this.#sixDigitFraction() : this.#optionalFraction();
    const offsetSeconds = this.#zone();
    if (this.#rest !== "") {
      throw this.#error(`: extra text: ${quote(this.#rest)}`);
    }
    const leapDay = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
    this.#check(day >= 1 && day <= (daysInMonth[month - 1] ?? 0) + leapDay, "day");
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second);
    const seconds = date.getTime() / 1000 - offsetSeconds;
    // Go lets an offset lead out of the years that it parses, and later refuses what it has written.
    this.#check(!isFarTime(seconds), "year");
    return { seconds, nanos };
  }

  #year(): number {
    if (!/^[0-9]{4}/.test(this.#rest)) {
      throw this.#cannotParse(this.#rest, "2006");
    }
    return Number(this.#take(4));
  }

  #literal(character: string): void {
    if (!this.#rest.startsWith(character)) {
      throw this.#cannotParse(this.#rest, character);
    }
    this.#take(1);
  }

  #number(element: string, fixed: boolean): number {
    const digits = /^[0-9]{1,2}/.exec(this.#rest)?.[0];
    if (digits === undefined || (fixed && digits.length < 2)) {
      throw this.#cannotParse(this.#rest, element);
    }
    return Number(this.#take(digits.length));
  }

  #optionalFraction(): number {
    const fraction = /^[.,][0-9]+/.exec(this.#rest)?.[0];
    return fraction === undefined ? 0 : toNanos(this.#take(fraction.length));
  }

  #sixDigitFraction(): number {
    if (!/^[.,][0-9]{6}/.test(this.#rest)) {
      throw this.#cannotParse(this.#rest, ".000000");
    }
    return toNanos(this.#take(7));
  }

  #zone(): number {
    if (this.#rest.startsWith("Z")) {
      this.#take(1);
      return 0;
    }
    const match = /^([+-])([0-9]{2}):([0-9]{2})/.exec(this.#rest);
    if (match === null) {
      throw this.#cannotParse(this.#rest, "Z07:00");
    }
    this.#take(6);
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    // Offsets of 24 hours and of 60 minutes are let through, as in Go.
    this.#check(hours <= 24, "time zone offset hour");
    this.#check(minutes <= 60, "time zone offset minute");
    return (match[1] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60;
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return taken;
  }

  #check(holds: boolean, what: string): void {
    if (!holds) {
      throw this.#error(`: ${what} out of range`);
    }
  }

  #cannotParse(value: string, element: string): DecodeError {
    return this.#error(` as ${quote(this.#layout)}: cannot parse ${quote(value)} as ${quote(element)}`);
  }

  #error(detail: string): DecodeError {
    return new DecodeError(`parsing time ${quote(this.#text)}${detail}`);
  }
}

/** Returns the nanoseconds of a fraction: 500,000,000 for `.5`; further digits are dropped. */
function toNanos(fraction: string): number {
  return Number(fraction.slice(1, 10).padEnd(9, "0"));
}

/** Quotes a text as Go's time package does: bytes other than printable ASCII by their numbers. */
function quote(text: string): string {
  const shown = text.replace(/["\\]/g, "\\$&").replace(unprintable, (character) => {
    return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  });
  return `"${shown}"`;
}

const unprintable = /[^ -\x7f]/gu;
