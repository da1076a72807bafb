import { textOf } from "./target.js";
import type { AuditEvent } from "./types.js";

const count = new Intl.NumberFormat("en");
const shortCount = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number of events, with separators. */
export function countText(value: number): string {
  return count.format(value);
}

/** So many events. */
export function eventsText(count: number): string {
  return count === 1 ? "1 event" : `${countText(count)} events`;
}

/** A number of events where there is little room. */
export function shortCountText(value: number): string {
  return shortCount.format(value);
}

/** A number of bytes in the largest unit that fits. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  const unit = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}

/** A time of day in the reader's time zone; with milliseconds if they are asked for. */
export function timeOfDay(time: Date, withMs = false): string {
  const seconds = `${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
  return withMs ? `${seconds}.${pad(time.getMilliseconds(), 3)}` : seconds;
}

/** A day in the reader's time zone. */
export function dayText(time: Date): string {
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
}

/** A day and time in the reader's time zone. */
export function dateAndTime(time: Date): string {
  return `${dayText(time)} ${timeOfDay(time)}`;
}

/** When the event's stage was reached. */
export function timeOf(event: AuditEvent): Date | undefined {
  const time = new Date(textOf(event.stageTimestamp) || textOf(event.requestReceivedTimestamp));
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** The code by its first digit: `2xx`; `none` where there is no answer yet. */
export function outcomeOf({ responseStatus }: AuditEvent): string {
  const code = textOf(responseStatus?.code);
  return code === "" ? "none" : `${code[0]}xx`;
}
