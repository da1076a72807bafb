import type { AuditBackend } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";

/** A backend of the mode `blocking`: requests wait for their events, but do not fail with them. */
export class IgnoreErrorsBackend implements AuditBackend {
  readonly #backend: AuditBackend;

  constructor(backend: AuditBackend) {
    this.#backend = backend;
  }

  get name(): string {
    return `ignoreErrors<${this.#backend.name}>`;
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const outcome = this.#backend.process(events);
    return outcome instanceof Promise ? outcome.then(() => true) : true;
  }

  close(): Promise<void> {
    return this.#backend.close();
  }
}
