import { readFileSync } from "node:fs";

const pageBytes = 4096;

/**
 * Returns the bytes of mapped files in the resident memory of this process; undefined where that cannot be read
 * cheaply.
 */
export function residentFileBytes(): number | undefined {
  try {
    // Pages: total, resident, of which shared (files and shared memory), ...
    const shared = readFileSync("/proc/self/statm", "latin1").split(" ")[2];
    return Number(shared) * pageBytes;
  } catch {
    return undefined; // not Linux
  }
}
