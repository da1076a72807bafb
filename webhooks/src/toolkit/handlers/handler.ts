import type { AdmissionDecision } from "../decision/decision.js";
import type { Lookup } from "../lookup/lookup.js";
import type { AdmissionRequest } from "./admission-request.js";

/** The parts that a handler may use beside the request. */
export interface HandlerContext {
  /** Signal that aborts when the caller no longer waits for the decision. Pass it to every call that waits. */
  readonly signal: AbortSignal;
  /** Lookup of other objects of the cluster, of the resources that the hook names in `reads`. */
  readonly lookup: Lookup;
}

/**
 * A function from a request to a decision. `validator`, `mutator`, `all`, `chain` and `when` make handlers. It is
 * called once for each review, many at a time; an API server may ask twice about one request, so repeated calls must
 * have no further effect. A handler that throws has failed to decide.
 */
export type Handler = (
  request: AdmissionRequest,
  context: HandlerContext,
) => AdmissionDecision | Promise<AdmissionDecision>;
