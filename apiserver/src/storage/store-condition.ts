import { StoreDamagedError, StoreUnavailableError, StoreUnwritableError } from "../errors/errors.js";
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
