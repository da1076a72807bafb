import type { AuditBackend, AuditLosses } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import type { GroupWriter } from "./group-writer.js";

/** A function that turns an event into a line, without its line end. */
export type EventFormat = (event: AuditEvent) => string;

/** Writes each event as a line. */
export class LogBackend implements AuditBackend {
  readonly name = "log";
  readonly #writer: GroupWriter;
  readonly #format: EventFormat;
  readonly #losses: AuditLosses;

  constructor(writer: GroupWriter, format: EventFormat, losses: AuditLosses) {
    this.#writer = writer;
    this.#format = format;
    this.#losses = losses;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    try {
      await this.#writer.append(events.map((event) => `${this.#format(event)}\n`).join(""));
      return true;
    } catch (error) {
      this.#losses.lost(this.name, events.length, error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  close(): Promise<void> {
    return this.#writer.close();
  }
}
