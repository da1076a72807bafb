import type { AdmissionDecision } from "../decision/decision.js";
import type { Lookup } from "../lookup/lookup.js";
import type { AdmissionRequest } from "./admission-request.js";

/** What a handler may use beside the request. */
export interface HandlerContext {
  /** Aborts when nobody waits for the decision any more. Give it to whatever waits. */
  readonly signal: AbortSignal;
  /** Other objects of the cluster. */
  readonly lookup: Lookup;
}

/**
 * The floor of the ladder: a request comes in, a decision goes out. Everything else that decides is one of these, made by
 * `validator`, `mutator`, `all`, `chain`, `when` and so on. Called once for each review, many at a time; an API server
 * may ask twice about one request, so it must not matter how often it is called. To throw is to fail to decide.
 */
export type Handler = (
  request: AdmissionRequest,
  context: HandlerContext,
) => AdmissionDecision | Promise<AdmissionDecision>;
