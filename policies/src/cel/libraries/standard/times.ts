import { intValue } from "../../values/numbers.js";
import { floorDivide } from "../../values/time-arithmetic.js";
import { localTime } from "../../values/time-zone.js";
import type { CelValue, Duration, Timestamp } from "../../values/value.js";
import type { FunctionDefinition, Overload } from "../library.js";

const millisecond = 1_000_000n;
const second = 1000n * millisecond;
const dayMilliseconds = 86_400_000;

/** Functions that return parts of timestamps, on the clock of a time zone (default: UTC), and of durations. */
export const times: readonly FunctionDefinition[] = [
  timeFunction("getFullYear", (date) => date.getUTCFullYear()),
  timeFunction("getMonth", (date) => date.getUTCMonth()),
  timeFunction("getDayOfYear", dayOfYear),
  timeFunction("getDayOfMonth", (date) => date.getUTCDate() - 1),
  timeFunction("getDate", (date) => date.getUTCDate()),
  timeFunction("getDayOfWeek", (date) => date.getUTCDay()),
  timeFunction("getHours", (date) => date.getUTCHours(), 3600n * second),
  timeFunction("getMinutes", (date) => date.getUTCMinutes(), 60n * second),
  timeFunction("getSeconds", (date) => date.getUTCSeconds(), second),
  timeFunction(
    "getMilliseconds",
    (_date, nanoseconds) => Number(floorDivide(nanoseconds, millisecond) % 1000n),
    millisecond,
  ),
];

function timeFunction(
  name: string,
  partOf: (date: Date, nanoseconds: bigint) => number,
  unit?: bigint,
): FunctionDefinition {
  const ofTimestamp = (value: CelValue, zone: CelValue | undefined) => {
    const timestamp = value as Timestamp;
    const part = partOf(localTime(timestamp, (zone as string | undefined) ?? ""), timestamp.nanoseconds);
    return part < 0 ? part + 1000 : part;
  };
  const overloads: Overload[] = [
    { signature: "timestamp.() -> int", call: (value) => ofTimestamp(value as CelValue, undefined) },
    { signature: "timestamp.(string) -> int", call: (value, zone) => ofTimestamp(value as CelValue, zone) },
  ];
  if (unit !== undefined) {
    overloads.push({
      signature: "duration.() -> int",
      call: (value) => intValue((value as Duration).nanoseconds / unit),
    });
  }
  return { name, overloads };
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / dayMilliseconds);
}
