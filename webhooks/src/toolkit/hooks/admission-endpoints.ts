import type { JsonObject } from "@gatehouse/envelopes/json";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { HandlerContext } from "../handlers/handler.js";
import { emptyLookup, type Lookup } from "../lookup/lookup.js";
import { answerAdmissionReview, openAdmissionReviewReader } from "../review/admission-review.js";
import type { ReviewAnswer, ReviewCall, ReviewEndpoint } from "../server/review-endpoint.js";
import { answerHook } from "./answer-hook.js";
import type { Hook } from "./hook.js";

/**
 * Returns the endpoints at which hooks answer AdmissionReviews (v1, v1beta1), for `reviewMiddleware` or
 * `startWebhookServer`. Their `answer` rejects with the error that a hook throws. `lookup` may be left out when no hook
 * names a resource in `reads`; otherwise TypeError names the hooks and the resources.
 *
 * @example
 * const lookup = await openLookup({ hooks });
 * const server = await startWebhookServer({
 *   endpoints: admissionEndpoints(hooks, lookup),
 *   readiness: lookup.readiness,
 *   tls: { certFile: "tls.crt", keyFile: "tls.key", clientCaFile: "ca.crt" },
 * });
 */
export function admissionEndpoints(hooks: readonly Hook[], lookup?: Lookup): ReviewEndpoint[] {
  const objects = lookup ?? lookupForNone(hooks);
  const reader = openAdmissionReviewReader();
  return hooks.map((hook) => ({
    path: hook.path,
    name: hook.name,
    answer: async (review, call) => answer(hook, (await reader).read(review), review, objects, call),
  }));
}

/** Returns a lookup for hooks that read nothing. Throws TypeError when one of them does. */
function lookupForNone(hooks: readonly Hook[]): Lookup {
  const readers = hooks
    .filter(({ reads }) => reads.length > 0)
    .map(({ name, reads }) => {
      const resources = reads.map(({ resource, apiVersion }) => `${resource} of ${apiVersion}`);
      return `${name} reads ${resources.join(", ")}`;
    });
  if (readers.length > 0) {
    throw new TypeError(`hooks that read other objects need a lookup, which openLookup() opens: ${readers.join("; ")}`);
  }
  return emptyLookup;
}

async function answer(
  hook: Hook,
  request: AdmissionRequest,
  review: JsonObject,
  lookup: Lookup,
  call: ReviewCall,
): Promise<ReviewAnswer> {
  const decision = await answerHook(hook, request, new CallContext(lookup, call));
  return {
    body: answerAdmissionReview(review, request.uid, decision),
    outcome: decision.allowed ? "allowed" : "denied",
  };
}

/**
 * The context of a hook that answers a call. A class, not an object literal with a getter: V8 gives each such literal a
 * hidden class of its own, and those keep the objects of past calls alive until the next full collection.
 */
class CallContext implements HandlerContext {
  readonly lookup: Lookup;
  readonly #call: ReviewCall;

  constructor(lookup: Lookup, call: ReviewCall) {
    this.lookup = lookup;
    this.#call = call;
  }

  /** The signal of the call, which makes it when it is first read. */
  get signal(): AbortSignal {
    return this.#call.signal;
  }
}
