import { StoreDamagedError } from "../../errors/errors.js";

/** The facts about a damaged record. */
export interface DamagedRecord {
  readonly key?: string | undefined;
  readonly revision?: number | undefined;
  /** The kind of damage, for the person who runs the server. */
  readonly detail: string;
}

/** Number of records from which on damage is neither counted nor reported one by one. */
const maxRecords = 1000;

/** The errors of LMDB for an unexpected page: MDB_PAGE_NOTFOUND, MDB_CORRUPTED. */
const structureErrors = new Set<unknown>([-30797, -30796]);

/** The damage found in one file since it was opened. */
export class DamageReport {
  /** Functions called with each damaged record once. */
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

  /** Notes an error of LMDB that means damage; returns the error to throw. */
  noteThrown(error: unknown): unknown {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    return structureErrors.has(code) || /^Invalid key size /.test(String(message))
      ? this.note({ detail: `a page of the data file is not as it was written (${String(message)})` }, { cause: error })
      : error;
  }

  /** Returns all damage in one sentence; undefined when there is none. */
  summary(): Error | undefined {
    const others = this.#known.size - 1;
    return this.#first === undefined
      ? undefined
      : new Error(others === 0 ? this.#first.message : `${this.#first.message}; and ${others} more`);
  }
}
