import { StoreDamagedError } from "../store-condition.js";

/** What is known of a damaged record. */
export interface DamagedRecord {
  readonly key?: string | undefined;
  readonly revision?: number | undefined;
  /** What is wrong with it, for the person who runs the server. */
  readonly detail: string;
}

/** Damage beyond this many records is counted no more, and no longer told one by one. */
const maxRecords = 1000;

/** What LMDB answers when a page of the file is not what it should be: MDB_PAGE_NOTFOUND, MDB_CORRUPTED. */
const structureErrors = new Set<unknown>([-30797, -30796]);

/** The damage found in one file since it was opened. */
export class DamageReport {
  /** Told of each damaged record once. */
  readonly listeners = new Set<(error: StoreDamagedError) => void>();
  readonly #known = new Set<string>();
  #first: StoreDamagedError | undefined;

  /** Notes a damaged record; answers the error to throw. */
  note(record: DamagedRecord, options?: ErrorOptions): StoreDamagedError {
    const error = new StoreDamagedError(record, options);
    const id = `${record.revision ?? ""} ${record.revision === undefined ? error.message : ""}`;
    if (!this.#known.has(id) && this.#known.size < maxRecords) {
      this.#known.add(id);
      this.#first ??= error;
      for (const listener of this.listeners) {
        listener(error);
      }
    }
    return error;
  }

  /** Notes what LMDB threw if that tells of damage; answers the error to throw. */
  noteThrown(error: unknown): unknown {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    return structureErrors.has(code) || /^Invalid key size /.test(String(message))
      ? this.note({ detail: `a page of the data file is not as it was written (${String(message)})` }, { cause: error })
      : error;
  }

  /** All of it in one sentence; undefined when there is none. */
  summary(): Error | undefined {
    const others = this.#known.size - 1;
    return this.#first === undefined
      ? undefined
      : new Error(others === 0 ? this.#first.message : `${this.#first.message}; and ${others} more`);
  }
}
