import type { AuditEvent } from "../sink/types.js";
import { textOf } from "./target.js";

/** Returns when the event's stage was reached; undefined when the event does not say. */
export function timeOf(event: AuditEvent): Date | undefined {
  return parseTime(textOf(event.stageTimestamp) || textOf(event.requestReceivedTimestamp));
}

/** Reads a time of an event. */
export function parseTime(text: unknown): Date | undefined {
  const time = new Date(textOf(text));
  return Number.isNaN(time.getTime()) ? undefined : time;
}
