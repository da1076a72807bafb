import type { JsonObject } from "@gatehouse/envelopes/json";

/** The call that carries a review, while it is answered. */
export interface ReviewCall {
  /** Signal that aborts when the caller has gone, or when its timeout has passed (`?timeout=10s`). */
  readonly signal: AbortSignal;
}

/** The answer to one review. */
export interface ReviewAnswer {
  /** The document of the answer, sent with HTTP 200. */
  readonly body: JsonObject;
  /** Label in metrics, one word of a small fixed set: `allowed`, `denied`. */
  readonly outcome: string;
}

/**
 * A path to which an API server posts reviews as JSON. `answer` is called once for each review, many at a time. The
 * review is a JSON object that nothing else has checked.
 */
export interface ReviewEndpoint {
  /** Path below the place where the endpoints are mounted, beginning with a slash. */
  readonly path: string;
  /** Label in metrics and logs. */
  readonly name: string;
  /**
   * Answers a review. A StatusError that it throws is sent to the caller (400 for a review that cannot be read). Any
   * other error is a failure to decide, which is logged and sent as HTTP 500, so that the caller's failure policy
   * applies.
   */
  answer(review: JsonObject, call: ReviewCall): ReviewAnswer | Promise<ReviewAnswer>;
}
