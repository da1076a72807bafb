import type { AuditBackend, AuditLosses } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";

/** Limits of events and batches, in bytes of JSON. */
export interface TruncationOptions {
  /** The size in bytes above which an event loses its bodies; if that does not suffice, it is dropped. */
  readonly maxEventBytes: number;
  /** The size in bytes above which events are divided into several batches. */
  readonly maxBatchBytes: number;
}

/** Keeps events small enough for what is behind it. Stands outside of buffers, which hold what is truncated already. */
export class TruncatingBackend implements AuditBackend {
  readonly #backend: AuditBackend;
  readonly #options: TruncationOptions;
  readonly #losses: AuditLosses;

  constructor(backend: AuditBackend, options: TruncationOptions, losses: AuditLosses) {
    this.#backend = backend;
    this.#options = options;
    this.#losses = losses;
  }

  get name(): string {
    return `truncate<${this.#backend.name}>`;
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const { maxBatchBytes } = this.#options;
    const outcomes: (boolean | Promise<boolean>)[] = [];
    let batch: AuditEvent[] = [];
    let batchBytes = 0;
    for (const event of events) {
      const fitting = this.#fit(event);
      if (fitting === undefined) {
        continue;
      }
      const bytes = sizeOf(fitting);
      if (batch.length > 0 && batchBytes + bytes > maxBatchBytes) {
        outcomes.push(this.#backend.process(batch));
        batch = [];
        batchBytes = 0;
      }
      batch.push(fitting);
      batchBytes += bytes;
    }
    if (batch.length > 0) {
      outcomes.push(this.#backend.process(batch));
    }
    return outcomes.some((outcome) => outcome instanceof Promise)
      ? Promise.all(outcomes).then((all) => all.every(Boolean))
      : outcomes.every(Boolean);
  }

  #fit(event: AuditEvent): AuditEvent | undefined {
    const { maxEventBytes } = this.#options;
    if (sizeOf(event) <= maxEventBytes) {
      return event;
    }
    const smaller = event.level === "Metadata" ? event : event.truncated();
    if (sizeOf(smaller) <= maxEventBytes) {
      return smaller;
    }
    this.#losses.lost("truncate", 1, "event is too large even after truncating");
    return undefined;
  }

  refusal(): string | undefined {
    return this.#backend.refusal?.();
  }

  close(): Promise<void> {
    return this.#backend.close();
  }
}

/** Returns the size of an event in bytes with the line end, as v1.29 measures it. */
function sizeOf(event: AuditEvent): number {
  return Buffer.byteLength(event.document) + 1;
}
