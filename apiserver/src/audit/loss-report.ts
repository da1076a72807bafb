import type { AuditLosses } from "./audit-backend.js";

/** A log of lost events by the part that lost them; `reason` is the last of several. */
export interface LossLog {
  auditEventsLost(plugin: string, count: number, reason: string): void;
}

/** The least interval between two lines about one part, in milliseconds. */
const intervalMs = 10_000;

/** Counts every lost event at once, and writes about them at a bounded rate: the first at once, then in sums. */
export class LossReport implements AuditLosses, Disposable {
  readonly #count: (plugin: string, count: number) => void;
  readonly #log: LossLog;
  readonly #pending = new Map<string, { count: number; reason: string }>();
  readonly #quiet = new Map<string, NodeJS.Timeout>();

  constructor(count: (plugin: string, count: number) => void, log: LossLog) {
    this.#count = count;
    this.#log = log;
  }

  lost(plugin: string, count: number, reason: string): void {
    this.#count(plugin, count);
    const pending = this.#pending.get(plugin) ?? { count: 0, reason };
    pending.count += count;
    pending.reason = reason;
    this.#pending.set(plugin, pending);
    if (!this.#quiet.has(plugin)) {
      this.#tell(plugin);
    }
  }

  #tell(plugin: string): void {
    const pending = this.#pending.get(plugin);
    this.#pending.delete(plugin);
    clearTimeout(this.#quiet.get(plugin));
    this.#quiet.delete(plugin);
    if (pending !== undefined) {
      this.#log.auditEventsLost(plugin, pending.count, pending.reason);
      const timer = setTimeout(() => this.#tell(plugin), intervalMs);
      timer.unref();
      this.#quiet.set(plugin, timer);
    }
  }

  /** Writes what has not been written yet. */
  [Symbol.dispose](): void {
    for (const plugin of [...this.#pending.keys()]) {
      this.#tell(plugin);
    }
    for (const timer of this.#quiet.values()) {
      clearTimeout(timer);
    }
  }
}
