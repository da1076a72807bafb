import { floorDivide } from "./time-arithmetic.js";
import { Duration, Timestamp } from "./value.js";
import { countWork } from "./work.js";

/** The work of reading a time or duration. */
const parseWork = 500;

const nanosecondsPerSecond = 1_000_000_000n;
const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Reads a time in the form of RFC 3339; undefined if the text has another form or no such day exists. */
export function parseTimestamp(text: string): Timestamp | undefined {
  countWork(parseWork);
  const match = rfc3339.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHour = "0", offsetMinute = "0"] = match;
  const milliseconds = utcMilliseconds(Number(year), Number(month), Number(day));
  if (milliseconds === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }
  if (Number(offsetHour) > 24 || Number(offsetMinute) > 60) {
    return undefined;
  }
  const offsetMinutes = (sign === "-" ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const seconds = milliseconds / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offsetMinutes * 60;
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, "0"));
  return new Timestamp(BigInt(seconds) * nanosecondsPerSecond + nanoseconds, offsetMinutes);
}

/** Returns the time at which a day begins, in milliseconds; undefined if there is no such day. */
function utcMilliseconds(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Returns the text of a timestamp in the form of RFC 3339, with as many digits of the second as it needs. */
export function timestampText(timestamp: Timestamp): string {
  const seconds = floorDivide(timestamp.nanoseconds, nanosecondsPerSecond);
  const nanoseconds = timestamp.nanoseconds - seconds * nanosecondsPerSecond;
  const local = new Date((Number(seconds) + timestamp.offsetMinutes * 60) * 1000);
  const [date = "", time = ""] = local.toISOString().split("T");
  // Years beyond four digits, which an offset can reach, are written by JavaScript with a sign and six digits.
  const year = date.replace(/^[+-]0*(\d+)-/, "$1-");
  return `${year}T${time.slice(0, 8)}${fractionText(nanoseconds)}${offsetText(timestamp.offsetMinutes)}`;
}

function offsetText(minutes: number): string {
  if (minutes === 0) {
    return "Z";
  }
  const magnitude = Math.abs(minutes);
  const part = (value: number) => String(value).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${part(Math.floor(magnitude / 60))}:${part(magnitude % 60)}`;
}

function fractionText(nanoseconds: bigint): string {
  return nanoseconds === 0n ? "" : `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}`;
}

const unitNanoseconds = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", nanosecondsPerSecond],
  ["m", 60n * nanosecondsPerSecond],
  ["h", 3600n * nanosecondsPerSecond],
]);
const durationPart = /(\d*)(?:\.(\d*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Reads a duration such as `1h30m` or `-1.5s`; undefined if the text has another form or does not fit into 64 bits. */
export function parseDuration(text: string): Duration | undefined {
  countWork(parseWork);
  const negative = text.startsWith("-");
  const body = negative || text.startsWith("+") ? text.slice(1) : text;
  if (body === "0") {
    return new Duration(0n);
  }
  const total = sumOfParts(body);
  if (total === undefined || total > 2n ** 63n - (negative ? 0n : 1n)) {
    return undefined;
  }
  return new Duration(negative ? -total : total);
}

function sumOfParts(body: string): bigint | undefined {
  let total = 0n;
  durationPart.lastIndex = 0;
  while (durationPart.lastIndex < body.length) {
    const match = durationPart.exec(body);
    const [, whole = "", fraction = "", unit = ""] = match ?? [];
    if (match === null || whole + fraction === "" || whole.length > 19) {
      return undefined;
    }
    const size = unitNanoseconds.get(unit) ?? 0n;
    // Digits beyond the eighteenth cannot make a nanosecond of the largest unit.
    const digits = fraction.slice(0, 18);
    total += BigInt(whole || "0") * size + (BigInt(digits || "0") * size) / 10n ** BigInt(digits.length);
  }
  return body === "" ? undefined : total;
}

/** Returns the text of a duration in seconds: `1.5s`, with the digits that a double holds. */
export function durationText(duration: Duration): string {
  const whole = duration.nanoseconds / nanosecondsPerSecond;
  const rest = duration.nanoseconds % nanosecondsPerSecond;
  const seconds = Number(whole) + Number(rest) / 1e9;
  // Seconds stay below 1e10, so that no exponent is written above; those below 1e-6 need plain digits.
  return `${seconds !== 0 && Math.abs(seconds) < 1e-6 ? seconds.toFixed(9).replace(/0+$/, "") : String(seconds)}s`;
}
