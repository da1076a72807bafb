import type { JsonObject } from "@gatehouse/envelopes/json";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Lookup } from "../lookup/lookup.js";
import { answerAdmissionReview, openAdmissionReviewReader } from "../review/admission-review.js";
import type { ReviewAnswer, ReviewCall, ReviewEndpoint } from "../server/review-endpoint.js";
import { answerHook } from "./answer-hook.js";
import type { Hook } from "./hook.js";

/** The endpoints at which hooks answer AdmissionReviews (v1, v1beta1). What hooks throw is their caller's to handle. */
export function admissionEndpoints(hooks: readonly Hook[], lookup: Lookup): ReviewEndpoint[] {
  const reader = openAdmissionReviewReader();
  return hooks.map((hook) => ({
    path: hook.path,
    name: hook.name,
    answer: async (review, call) => answer(hook, (await reader).read(review), review, lookup, call),
  }));
}

async function answer(
  hook: Hook,
  request: AdmissionRequest,
  review: JsonObject,
  lookup: Lookup,
  call: ReviewCall,
): Promise<ReviewAnswer> {
  const decision = await answerHook(hook, request, {
    lookup,
    // Made only if the handler looks at it.
    get signal() {
      return call.signal;
    },
  });
  return {
    body: answerAdmissionReview(review, request.uid, decision),
    outcome: decision.allowed ? "allowed" : "denied",
  };
}
