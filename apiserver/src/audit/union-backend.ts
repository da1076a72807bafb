import type { AuditBackend } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";

/** Records in all of several backends, none of which waits for another. */
export class UnionBackend implements AuditBackend {
  readonly #backends: readonly AuditBackend[];

  constructor(backends: readonly AuditBackend[]) {
    this.#backends = backends;
  }

  get name(): string {
    return `union[${this.#backends.map(({ name }) => name).join(",")}]`;
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    const outcomes = this.#backends.map((backend) => backend.process(events));
    return outcomes.some((outcome) => outcome instanceof Promise)
      ? Promise.all(outcomes).then((all) => all.every(Boolean))
      : outcomes.every(Boolean);
  }

  refusal(): string | undefined {
    for (const backend of this.#backends) {
      const refusal = backend.refusal?.();
      if (refusal !== undefined) {
        return refusal;
      }
    }
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#backends.map((backend) => backend.close()));
  }
}
