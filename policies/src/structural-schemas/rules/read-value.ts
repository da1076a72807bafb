import { parseDuration } from "@gatehouse/envelopes/go";
import { isJsonObject } from "@gatehouse/envelopes/json";
import {
  BoxedDouble,
  CelMap,
  type CelValue,
  Duration,
  EvaluationError,
  Timestamp,
  type ValueReader,
} from "../../cel/index.js";

/**
 * Turns decoded JSON into the value that expressions see, and returns other values as they are. Throws EvaluationError for
 * a text that is not in its format.
 */
export type ReadValue = ValueReader;

/** Reads a number as a double, even if it is whole. */
export const readNumber: ReadValue = (value) => {
  if (typeof value === "bigint" || Number.isInteger(value)) {
    return new BoxedDouble(Number(value));
  }
  return value;
};

/** Reads bytes in Base64. */
export const readBytes: ReadValue = (value) => {
  if (typeof value !== "string") {
    return value;
  }
  const text = value.replace(/[\r\n]/g, "");
  const valid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?/.exec(text)?.[0] ?? "";
  if (valid.length < text.length) {
    const at = text.slice(valid.length).search(/[^A-Za-z0-9+/]/);
    const offset = at < 0 ? text.length : valid.length + at;
    throw new EvaluationError(`Invalid byte formatted string ${value}: illegal base64 data at input byte ${offset}`);
  }
  return new Uint8Array(Buffer.from(text, "base64"));
};

/** Reads a duration, as Go writes it (`1h30m`) or in words (`3 days`). */
export const readDuration: ReadValue = (value) =>
  typeof value === "string" ? new Duration(nanosecondsOf(value)) : value;

function nanosecondsOf(value: string): bigint {
  try {
    return parseDuration(value);
  } catch {
    return nanosecondsInWords(value);
  }
}

function nanosecondsInWords(value: string): bigint {
  let sum: bigint | undefined;
  for (const [, count = "", word = ""] of value.matchAll(/(\d+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g)) {
    const nanoseconds = units.find(({ pattern }) => pattern.test(word))?.nanoseconds;
    if (nanoseconds !== undefined) {
      sum = (sum ?? 0n) + BigInt(count) * nanoseconds;
    }
  }
  if (sum === undefined) {
    throw new EvaluationError(`Invalid duration ${value}: unable to parse ${value} as duration`);
  }
  return BigInt.asIntN(64, sum);
}

const second = 1_000_000_000n;
const units = [
  { pattern: /^(?:ns$|nano)/i, nanoseconds: 1n },
  { pattern: /^(?:us$|\u00b5s$|micro)/i, nanoseconds: 1_000n },
  { pattern: /^(?:ms$|milli)/i, nanoseconds: 1_000_000n },
  { pattern: /^(?:s$|sec)/i, nanoseconds: second },
  { pattern: /^(?:m$|min)/i, nanoseconds: 60n * second },
  { pattern: /^(?:h$|hr$|hour)/i, nanoseconds: 3_600n * second },
  { pattern: /^(?:d$|day)/i, nanoseconds: 86_400n * second },
  { pattern: /^(?:w$|wk$|week)/i, nanoseconds: 604_800n * second },
];

/** Reads a day, `2006-01-02`. */
export const readDate: ReadValue = (value) => {
  if (typeof value !== "string") {
    return value;
  }
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  const time = match && timeOf(match.slice(1).map(Number));
  if (time == null) {
    const problem = `parsing time "${value}" as "2006-01-02": cannot parse "${value}" as "2006"`;
    throw new EvaluationError(`Invalid date formatted string ${value}: ${problem}`);
  }
  return new Timestamp(time * second);
};

/** Reads a time, RFC 3339 or without a time zone, with any fraction of a second. */
export const readDateTime: ReadValue = (value) => {
  if (typeof value !== "string") {
    return value;
  }
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:(Z)|([+-])(\d{2}):(\d{2}))?$/.exec(
    value,
  );
  const time = match && timeOf(match.slice(1, 7).map(Number));
  if (value !== "" && (match === null || time == null)) {
    const problem = `parsing time "${value}" as "2006-01-02T15:04:05": cannot parse "${value}" as "2006"`;
    throw new EvaluationError(`Invalid date-time formatted string ${value}: ${problem}`);
  }
  const [fraction = "", , sign, hours = "0", minutes = "0"] = match?.slice(7) ?? [];
  const offset = BigInt(Number(hours) * 3_600 + Number(minutes) * 60);
  const seconds = (time ?? 0n) - (sign === "-" ? -offset : offset);
  return new Timestamp(seconds * second + BigInt(fraction.slice(0, 9).padEnd(9, "0")));
};

/** Returns the seconds since 1970 of a day and a time of it; undefined if there is no such day or time. */
function timeOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, seconds = 0]: readonly number[]):
  | bigint
  | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || seconds > 59) {
    return undefined;
  }
  return BigInt(date.getTime() / 1_000 + hour * 3_600 + minute * 60 + seconds);
}

/** Returns the reader of maps whose values are read; undefined if their values are seen as they are. */
export function readMap(readValue: ReadValue | undefined): ReadValue | undefined {
  return readValue && ((value) => (isPlainObject(value) ? new CelMap(new Map(entriesOf(value, readValue))) : value));
}

/** A field of an object: its name in expressions, and the reader of its values. */
export interface FieldReader {
  readonly name: string;
  readonly read: ReadValue | undefined;
}

/**
 * Returns the reader of objects with the given properties. A field that is null is absent for whoever selects it, but
 * counts as a member, so that an object that has one equals none, as in v1.29.
 */
export function readObject(fields: ReadonlyMap<string, FieldReader>): ReadValue {
  return (value) => {
    if (!isPlainObject(value)) {
      return value;
    }
    const entries = Object.entries(value).map(([property, item = null]) => {
      const field = fields.get(property);
      const isAbsent = field !== undefined && item === null;
      return [field?.name ?? property, isAbsent ? undefined : (field?.read?.(item) ?? item)] as const;
    });
    return new CelMap(new Map(entries) as CelMap["entries"]);
  };
}

function entriesOf(
  object: Readonly<Record<string, CelValue | undefined>>,
  read: ReadValue,
): (readonly [string, CelValue])[] {
  return Object.entries(object).map(([name, value = null]) => [name, value === null ? null : read(value)]);
}

function isPlainObject(value: CelValue): value is Readonly<Record<string, CelValue | undefined>> & CelMap {
  return isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}
