import { maxKeyBytes } from "../store.js";

/** Throws TypeError for a key that is empty, or longer than the contract of stores allows. */
export function checkStoreKey(key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes === 0 || bytes > maxKeyBytes) {
    throw new TypeError(`a key must have 1 to ${maxKeyBytes} bytes, not ${bytes}`);
  }
}
