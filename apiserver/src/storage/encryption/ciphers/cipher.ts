import type { ReadValue } from "../../values/value-transformer.js";

/** A form at rest in parts, one behind the other. They are put together once, with what stands before and behind them. */
export type StoredParts = readonly Buffer[];

/** A cipher with its key. */
export interface Cipher {
  /** Returns the form at rest of the value of a key. */
  toParts(storeKey: string, value: Buffer): StoredParts;

  /** Returns the value of a form at rest. Throws for what the cipher has not written with this key. */
  fromStored(storeKey: string, stored: Buffer): ReadValue;
}

/** A cipher, or a service that may have to be asked first. Rejects or throws as a ValueTransformer does. */
export interface PartsTransformer {
  toParts(storeKey: string, value: Buffer): StoredParts | Promise<StoredParts>;
  fromStored(storeKey: string, stored: Buffer): ReadValue | Promise<ReadValue>;
}
