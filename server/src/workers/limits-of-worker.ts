import type { RequestLimits } from "@gatehouse/apiserver/flow-control";

/**
 * Returns the limits of one worker of several: an equal part of those of the server, rounded up, since the supervisor gives
 * all workers about the same number of connections. 0, which is no limit, stays 0.
 */
export function limitsOfWorker(limits: RequestLimits, workers = 1): RequestLimits {
  return {
    ...limits,
    maxReadOnly: Math.ceil(limits.maxReadOnly / workers),
    maxMutating: Math.ceil(limits.maxMutating / workers),
  };
}
