import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * The allocations of a resource whose writes take something from elsewhere in the store: addresses, ports. They are
 * taken before the object is written, so that no other object gets the same, and given back after the write. A process
 * that dies in between leaves unused allocations; each implementation finds and releases them. Objects are plain and of
 * the served version. What is counted when a write has succeeded is a transaction that takes nothing.
 */
export interface WriteTransactions {
  /**
   * Begins a create, before the object is validated and stored. The object is named, defaulted and admitted, and may be
   * changed. Throws a StatusError to refuse, with nothing left taken.
   */
  beginCreate(object: JsonObject, options: TransactionOptions): Promise<WriteTransaction>;
  /** The subresource whose updates are transactions, instead of those of the object: `status`. */
  readonly subresource?: string;
  /**
   * Begins an update, before the changed object is validated and stored, once per attempt of the compare-and-set loop.
   */
  beginUpdate(object: JsonObject, old: JsonObject, options: TransactionOptions): Promise<WriteTransaction>;
  /** Gives back what an object had, after it is gone for whatever reason. */
  afterDelete(object: JsonObject): Promise<void>;
}

/** Options of a transaction. */
export interface TransactionOptions {
  /** True if the object is completed as usual, but nothing is taken and nothing remains to commit. */
  readonly dryRun: boolean;
}

/**
 * The allocations of one attempt to write. Exactly one of both methods is called; none if the outcome of the write is
 * unknown.
 */
export interface WriteTransaction {
  /** Gives back what the stored object no longer has. */
  commit(): Promise<void>;
  /** Gives back what was taken for an object that is not stored. */
  rollback(): Promise<void>;
}

/** A write that takes and gives nothing. */
export const emptyTransaction: WriteTransaction = Object.freeze({ async commit() {}, async rollback() {} });
