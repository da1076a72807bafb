import { StoreDamagedError, StoredValueUnavailableError } from "../../errors/errors.js";
import type { StoreObserver } from "../store-condition.js";
import type { RecentValues } from "./recent-values.js";
import { type ReadValue, type ValueTransformer, ValueUnavailableError } from "./value-transformer.js";

/** Number of unreadable values that are remembered, so that each is told of once. */
const maxTold = 1000;

/** The parts that read values at rest. */
export interface ValueReaderParts {
  readonly transformer: ValueTransformer;
  /** The values of the newest writes of this process, which need not be read. */
  readonly recent: RecentValues;
  /** The observer that is told of values that cannot be read. */
  readonly observer: Pick<StoreObserver, "storeDamaged">;
}

/** Reads values at rest; failures are errors of a store. */
export class ValueReader {
  readonly #parts: ValueReaderParts;
  /** Keys and revisions of unreadable values that the observer has been told of. */
  readonly #told = new Set<string>();

  constructor(parts: ValueReaderParts) {
    this.#parts = parts;
  }

  /**
   * Returns the value of a form at rest. Throws or rejects with StoreDamagedError when it cannot be read, and with
   * StoredValueUnavailableError when it cannot be read now.
   */
  read(key: string, revision: number, stored: Buffer): Buffer | Promise<Buffer> {
    try {
      const read = this.#parts.transformer.fromStored(key, stored);
      return read instanceof Promise
        ? read.then(plainValue, (cause: unknown) => this.#fail(key, revision, cause))
        : read.value;
    } catch (error) {
      return this.#fail(key, revision, error);
    }
  }

  /** Returns what `read` does for the value that a change has written: it is known if this process has written it. */
  readChange(key: string, revision: number, stored: Buffer): Buffer | Promise<Buffer> {
    return this.#parts.recent.take(key, stored) ?? this.read(key, revision, stored);
  }

  #fail(key: string, revision: number, cause: unknown): never {
    if (cause instanceof ValueUnavailableError) {
      throw new StoredValueUnavailableError({ key, revision, detail: messageOf(cause) }, { cause });
    }
    const error = new StoreDamagedError({ key, revision, detail: `it cannot be read: ${messageOf(cause)}` }, { cause });
    const what = `${key} ${revision}`;
    if (!this.#told.has(what)) {
      if (this.#told.size === maxTold) {
        this.#told.clear();
      }
      this.#told.add(what);
      this.#parts.observer.storeDamaged(error);
    }
    throw error;
  }
}

/** Returns the text of an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function plainValue({ value }: ReadValue): Buffer {
  return value;
}
