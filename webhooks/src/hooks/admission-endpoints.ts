import type { JsonObject } from "@gatehouse/envelopes";
import type { AdmissionDecision } from "../decision/decision.js";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { Lookup } from "../lookup/lookup.js";
import { answerAdmissionReview, openAdmissionReviewReader } from "../review/admission-review.js";
import type { ReviewAnswer, ReviewCall, ReviewEndpoint } from "../server/review-endpoint.js";
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
  const decision = await hook.handler(request, {
    lookup,
    // Made only if the handler looks at it.
    get signal() {
      return call.signal;
    },
  });
  checkDecision(hook, decision);
  return {
    body: answerAdmissionReview(review, request.uid, decision),
    outcome: decision.allowed ? "allowed" : "denied",
  };
}

/** A server would refuse these answers in words that help nobody; here they are failures of the hook, by name. */
function checkDecision(hook: Hook, decision: AdmissionDecision | undefined): void {
  if (typeof decision?.allowed !== "boolean") {
    throw new TypeError(`hook ${hook.name} has returned no decision`);
  }
  if (decision.allowed && decision.patch.length > 0 && hook.type === "validating") {
    throw new TypeError(`hook ${hook.name} is a validating hook and has returned a patch`);
  }
}
