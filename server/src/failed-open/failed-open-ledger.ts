import type { FailedOpen } from "@gatehouse/apiserver/admission";
import type { Store } from "@gatehouse/apiserver/storage";
import type { JsonValue } from "@gatehouse/envelopes";

/** Where the ledger is kept, and how much of it. */
export interface LedgerOptions {
  readonly store: Store;
  /** A key of its own. */
  readonly key: string;
  /** Entries; the oldest make room for new ones. */
  readonly maxEntries: number;
  readonly reportFault: (error: unknown) => void;
}

/** Longer reasons are cut: one entry must not take the room of many. */
const maxReasonLength = 300;

/**
 * Remembers, in the store, which writes went on though a webhook could not be asked. Writes do not wait for it: what comes
 * in within one moment is stored together, a moment later, and what a crash takes with it in between is not remembered.
 */
export class FailedOpenLedger {
  readonly #options: LedgerOptions;
  #pending: FailedOpen[] = [];
  #flushing: Promise<void> | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  add(entry: FailedOpen): void {
    this.#pending.push({ ...entry, reason: entry.reason.slice(0, maxReasonLength) });
    if (this.#pending.length > this.#options.maxEntries) {
      this.#pending.shift();
    }
    this.#flushing ??= this.#flush().catch(this.#options.reportFault);
  }

  /** The oldest first, those that are not stored yet included. */
  async list(): Promise<readonly FailedOpen[]> {
    await this.#flushing;
    return (await this.#read()).entries;
  }

  /** Forgets entries. */
  async remove(isDone: (entry: FailedOpen) => boolean): Promise<void> {
    await this.#flushing;
    await this.#change((entries) => entries.filter((entry) => !isDone(entry)));
  }

  async #flush(): Promise<void> {
    await new Promise(setImmediate);
    try {
      while (this.#pending.length > 0) {
        const added = this.#pending;
        this.#pending = [];
        await this.#change((entries) => [...entries, ...added].slice(-this.#options.maxEntries));
      }
    } finally {
      this.#flushing = undefined;
    }
  }

  async #change(revise: (entries: readonly FailedOpen[]) => readonly FailedOpen[]): Promise<void> {
    const { store, key } = this.#options;
    for (;;) {
      const { entries, revision } = await this.#read();
      const value = Buffer.from(JSON.stringify(revise(entries)));
      const { succeeded } = await store.put(key, value, { expectedRevision: revision });
      if (succeeded) {
        return;
      }
    }
  }

  async #read(): Promise<{ readonly entries: readonly FailedOpen[]; readonly revision: number }> {
    const { store, key } = this.#options;
    const { kv } = await store.get(key);
    const parsed: JsonValue = kv === undefined ? [] : (JSON.parse(kv.value.toString()) as JsonValue);
    return { entries: parsed as unknown as readonly FailedOpen[], revision: kv?.modRevision ?? 0 };
  }
}
