import type { TimeFormat } from "./time-format.js";

/** A time on the axis of a chart. */
export interface Tick {
  readonly ms: number;
  readonly label: string;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Distances between ticks that people count in. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91, 182, 364, 1820].map((count) => count * day),
];

/** Returns round times of a period, at most about `most` of them: whole hours, midnights, Mondays. */
export function ticks(fromMs: number, toMs: number, most: number, times: TimeFormat): readonly Tick[] {
  const step = steps.find((each) => (toMs - fromMs) / each <= most) ?? 1820 * day;
  return roundTimes(fromMs, toMs, step, times)
    .filter((ms) => ms >= fromMs && ms <= toMs)
    .map((ms) => ({ ms, label: labelOf(new Date(ms), step, times) }));
}

/** Steps of an hour and more are counted from midnight in the zone of the reader, also where a clock is changed. */
function roundTimes(fromMs: number, toMs: number, step: number, times: TimeFormat): readonly number[] {
  const { year, month, day: date, hour: fromHour } = times.parts(new Date(fromMs));
  const found: number[] = [];
  if (step < hour) {
    const start = times.msOf(year, month, date, fromHour);
    for (let ms = start; ms <= toMs; ms += step) {
      found.push(ms);
    }
    return found;
  }
  const stepDays = Math.max(1, step / day);
  // Day 0 was a Thursday, day 4 a Monday.
  const skew = (Math.floor(Date.UTC(year, month, date) / day) - 4) % stepDays;
  for (let n = -skew; ; n += stepDays) {
    if (times.msOf(year, month, date + n) > toMs) {
      return found;
    }
    for (let hours = 0; hours < 24; hours += Math.min(24, step / hour)) {
      found.push(times.msOf(year, month, date + n, hours));
    }
  }
}

function labelOf(time: Date, step: number, times: TimeFormat): string {
  const { hour: hours, minute: minutes, second: seconds } = times.parts(time);
  const isMidnight = hours === 0 && minutes === 0 && seconds === 0;
  if (step >= day || isMidnight) {
    return times.day(time);
  }
  return step < minute ? times.second(time) : times.minute(time);
}
