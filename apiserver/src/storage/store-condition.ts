/** The problems of a store; a member is undefined when there is none. */
export interface StoreCondition {
  /** The reason why writes fail now. */
  readonly writing: StoreUnwritableError | undefined;
  /** Damage that has been found since the store was opened. Stays set while the store is open. */
  readonly damage: Error | undefined;
}

/** Callbacks for changes of a store's condition, each called once, so that they can be logged. They must not throw. */
export interface StoreObserver {
  /** Called when a record is not what was written, once for each record. */
  storeDamaged(error: StoreDamagedError): void;
  /** Writes fail from now on; the store tries again by itself. */
  storeUnwritable(error: StoreUnwritableError): void;
  /** Writes work again. */
  storeWritable(): void;
  /** Called when nothing can be read or written from now on; the store tries again by itself. */
  storeLost(error: StoreUnavailableError): void;
  /** Reads and writes work again. */
  storeRecovered(): void;
}

/** An observer that ignores all changes. */
export const silentObserver: StoreObserver = Object.freeze({
  storeDamaged() {},
  storeUnwritable() {},
  storeWritable() {},
  storeLost() {},
  storeRecovered() {},
});

/**
 * The error for a record that is not what was written: the disk, or another program, has changed it. Becomes HTTP 500.
 */
export class StoreDamagedError extends Error {
  override readonly name = "StoreDamagedError";
  /** The key whose data is damaged; undefined when the damage hides that. */
  readonly key: string | undefined;
  /** The revision of the damaged version, where that is known. */
  readonly revision: number | undefined;

  constructor(
    what: { readonly key?: string | undefined; readonly revision?: number | undefined; readonly detail: string },
    options?: ErrorOptions,
  ) {
    const key = what.key === undefined ? "" : ` of ${JSON.stringify(what.key)}`;
    const revision = what.revision === undefined ? "" : ` at revision ${what.revision}`;
    super(`the stored data${key}${revision} is damaged: ${what.detail}`, options);
    this.key = what.key;
    this.revision = what.revision;
  }
}

/** The store cannot write now, for lack of space as a rule; it tries again by itself. Becomes HTTP 500, as in v1.29. */
export class StoreUnwritableError extends Error {
  override readonly name = "StoreUnwritableError";
}

/** The store's file cannot be read now; the store tries again by itself. Becomes HTTP 500. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/**
 * Reports whether an error means that the store cannot do its part. Its observer receives it, so no other code need log
 * it.
 */
export function isStoreTrouble(
  error: unknown,
): error is StoreDamagedError | StoreUnwritableError | StoreUnavailableError {
  return (
    error instanceof StoreDamagedError ||
    error instanceof StoreUnwritableError ||
    error instanceof StoreUnavailableError
  );
}
