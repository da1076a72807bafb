import { DecodeError } from "@gatehouse/envelopes/errors";
import { internalError, StatusError, timeout } from "@gatehouse/envelopes/status";
import { StoreDamagedError, StoreRefusedError, StoreTimeoutError } from "../errors/errors.js";
import { isStoreTrouble } from "./store-condition.js";

/**
 * Returns the answer to a client when the store cannot do its part, as v1.29 answers for etcd: 504 when it has not answered
 * in time, otherwise 500 with the reason.
 * Undefined for every other error. The store itself has logged the problem.
 */
export function statusOfStoreError(error: unknown): StatusError | undefined {
  if (error instanceof StoreTimeoutError) {
    return timeout(error.message);
  }
  if (error instanceof StoreRefusedError) {
    return new StatusError(500, "", error.message, undefined, { cause: error });
  }
  if (error instanceof StoreDamagedError && error.cause instanceof DecodeError) {
    // What v1.29 cannot decode either has an answer of its own.
    return new StatusError(500, "", error.cause.message, undefined, { cause: error });
  }
  return isStoreTrouble(error) ? internalError(error.message, error) : undefined;
}
