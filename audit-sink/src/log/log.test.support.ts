import { digestOf } from "./digest.js";
import type { KeptEvent, LogBatch, NewBatch } from "./log-batch.js";

/** An event as the intake hands it to the log. */
export function keptEvent(text: string, offset = 0): KeptEvent {
  const bytes = Buffer.from(text);
  return { bytes, digest: digestOf(bytes), offset };
}

/** A batch of events with these texts. */
export function batchOf(texts: readonly string[], rest: Partial<NewBatch> = {}): NewBatch {
  return { sender: "cluster-a", receivedTimestamp: 1_700_000_000_000, ...rest, events: texts.map(keptEvent) };
}

/** Position and text of each event. */
export function textsOf({ position, events }: LogBatch): readonly string[] {
  return events.map(({ bytes }, index) => `${position + index} ${bytes.toString()}`);
}
