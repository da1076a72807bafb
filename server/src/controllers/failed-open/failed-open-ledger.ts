import type { FailedOpen } from "@gatehouse/apiserver/admission";
import type { Store } from "@gatehouse/apiserver/storage";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { yieldToEventLoop } from "@gatehouse/envelopes/scheduling";

/** The location and the size of the ledger. */
export interface LedgerOptions {
  readonly store: Store;
  /** The key in the store, used for nothing else. */
  readonly key: string;
  /** Number of entries; the oldest are dropped for new ones. */
  readonly maxEntries: number;
  readonly reportFault: (error: unknown) => void;
}

/** Limit in characters of a reason: one entry must not take the room of many. */
const maxReasonLength = 300;

/**
 * The ledger, in the store, of writes that went on though a webhook could not be asked. Writes do not wait for it:
 * entries of one moment are stored together, a moment later, and a crash in between loses them.
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

  /** Resolves when all entries are stored. */
  async flushed(): Promise<void> {
    await this.#flushing;
  }

  /** Lists the entries, the oldest first, including those that are not stored yet. */
  async list(): Promise<readonly FailedOpen[]> {
    await this.#flushing;
    return (await this.#read()).entries;
  }

  /** Removes the entries for which `isDone` returns true. */
  async remove(isDone: (entry: FailedOpen) => boolean): Promise<void> {
    await this.#flushing;
    await this.#change((entries) => entries.filter((entry) => !isDone(entry)));
  }

  async #flush(): Promise<void> {
    await yieldToEventLoop();
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
