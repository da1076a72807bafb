import { internalError, type StatusError } from "@gatehouse/envelopes/status";
import { isStoreTrouble } from "./store-condition.js";

/**
 * Returns the answer to a client when the store cannot do its part: 500 with the reason, as v1.29 answers for etcd.
 * Undefined for every other error. The store itself has logged the problem.
 */
export function statusOfStoreError(error: unknown): StatusError | undefined {
  return isStoreTrouble(error) ? internalError(error.message, error) : undefined;
}
