import type { JsonObject } from "@gatehouse/envelopes/json";

/** What surrounds one review while it is answered. */
export interface ReviewCall {
  /** Aborts when the caller has gone, or when the time is up that it grants (`?timeout=10s`): nobody waits any more. */
  readonly signal: AbortSignal;
}

/** The answer to one review. */
export interface ReviewAnswer {
  /** The whole document that goes back with HTTP 200. */
  readonly body: JsonObject;
  /** Label in metrics, one word of a small fixed set: `allowed`, `denied`. */
  readonly outcome: string;
}

/**
 * One path to which an API server posts reviews: JSON comes in, JSON goes out. Called once for each review, many at a
 * time. The review is the caller's word: a JSON object, nothing more is known of it.
 */
export interface ReviewEndpoint {
  /** From the place where the endpoints are mounted, beginning with a slash. */
  readonly path: string;
  /** Label in metrics and logs. */
  readonly name: string;
  /**
   * Answers, or throws: a StatusError goes to the caller as it is (a review that cannot be read is a 400). Anything else
   * is a failure to decide, which is logged and becomes HTTP 500, so that the caller's failure policy has its say.
   */
  answer(review: JsonObject, call: ReviewCall): ReviewAnswer | Promise<ReviewAnswer>;
}
