import type { JsonObject } from "@gatehouse/envelopes";

/**
 * A resource whose writes take something from elsewhere in the store: addresses, ports. It takes before the object is
 * written, so that nobody else gets the same, and gives back after the write. Processes that die in between leave things
 * taken for nothing; whoever implements this finds them again. Objects are plain and of the served version.
 */
export interface WriteTransactions {
  /**
   * Before a new object is validated and stored. The object is named, defaulted and admitted, and may be changed. To throw
   * a StatusError is to refuse; nothing is left taken then.
   */
  beginCreate(object: JsonObject, options: TransactionOptions): Promise<WriteTransaction>;
  /** Before a changed object is validated and stored, once per attempt of the compare-and-set loop. */
  beginUpdate(object: JsonObject, old: JsonObject, options: TransactionOptions): Promise<WriteTransaction>;
  /** After an object is gone, however that came about. */
  afterDelete(object: JsonObject): Promise<void>;
}

/** How far a transaction may go. */
export interface TransactionOptions {
  /** The object is completed as it would be, but nothing is taken; neither does anything remain to commit. */
  readonly dryRun: boolean;
}

/** What one attempt to write has taken. Exactly one of both is called, or none if nobody knows how the write went. */
export interface WriteTransaction {
  /** The object is stored: gives back what it no longer has. */
  commit(): Promise<void>;
  /** The object is not stored: gives back what was taken for it. */
  rollback(): Promise<void>;
}

/** A write that takes and gives nothing. */
export const emptyTransaction: WriteTransaction = Object.freeze({ async commit() {}, async rollback() {} });
