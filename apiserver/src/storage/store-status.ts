import { internalError, type StatusError } from "@gatehouse/envelopes";
import { isStoreTrouble } from "./store-condition.js";

/**
 * What a client is told when the store cannot do its part: 500 with the reason, as v1.29 says it of etcd. Undefined for
 * every other error. The store itself has logged what is wrong.
 */
export function statusOfStoreError(error: unknown): StatusError | undefined {
  return isStoreTrouble(error) ? internalError(error.message, error) : undefined;
}
