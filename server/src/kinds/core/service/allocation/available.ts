import { internalError } from "@gatehouse/envelopes/status";
import { RangeUnavailableError } from "./range-allocator.js";

/** Allocates `what`, and answers with 500 and the reason when its range cannot be allocated from now. */
export async function available<T>(what: string, allocate: () => Promise<T>): Promise<T> {
  try {
    return await allocate();
  } catch (error) {
    throw error instanceof RangeUnavailableError
      ? internalError(`failed to allocate ${what}: ${error.message}`, error)
      : error;
  }
}
