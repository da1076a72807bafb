/** Bytes of one piece of memory: those of a round, with a frame that is begun within them. */
const pieceBytes = 128 * 1024;
/** Pieces that are kept for the next writes. */
const maxKept = 64;

const kept: Buffer[] = [];

/**
 * Returns memory for a large write, which all connections share: to allocate it for each costs as much as to encrypt it.
 * Give it back with `releaseMemory` when it has been written. Undefined if `bytes` are too many for it.
 */
export function takeMemory(bytes: number): Buffer | undefined {
  return bytes > pieceBytes ? undefined : (kept.pop() ?? Buffer.allocUnsafeSlow(pieceBytes));
}

/** Takes back memory, which nothing may read any more. What is not of `takeMemory` is dropped. */
export function releaseMemory(memory: Buffer): void {
  if (memory.length === pieceBytes && kept.length < maxKept) {
    kept.push(memory);
  }
}
