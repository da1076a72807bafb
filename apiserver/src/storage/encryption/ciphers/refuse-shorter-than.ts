/** Throws when a value at rest is too short to be the form that is expected. */
export function refuseShorterThan(bytes: number, stored: Buffer): void {
  if (stored.length < bytes) {
    throw new Error("the stored data was shorter than the required size");
  }
}
