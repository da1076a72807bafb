import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import type { imagepolicyV1alpha1 } from "@gatehouse/envelopes/types";
import type { ImageVerdict } from "@gatehouse/policies/image-rules";
import { openSpecReader } from "../../toolkit/review/spec-reader.js";
import type { ReviewEndpoint } from "../../toolkit/server/review-endpoint.js";
import type { ImageDecisions } from "./decide-images.js";
import type { ImageRuleSet } from "./reloading-image-rules.js";

const apiVersion = "imagepolicy.k8s.io/v1alpha1";
/** Largest number of containers in a review; pods have fewer. */
const maxContainers = 5000;
/** Largest number of denials in a message; more would make it too long to read. */
const maxReasons = 5;

/** Options of the endpoint. */
export interface ImageReviewOptions {
  readonly decisions: ImageDecisions;
  /** Returns the rules that are in force. */
  readonly rules: () => ImageRuleSet;
  /** Path that reviews are posted to. Default `/review`. */
  readonly path?: string;
}

/**
 * Returns the endpoint that answers ImageReviews (v1alpha1). The reason and an audit annotation name the rule that has
 * decided.
 */
export async function imageReviewEndpoint(options: ImageReviewOptions): Promise<ReviewEndpoint> {
  const { decisions, path = "/review" } = options;
  const reader = await openSpecReader("imagepolicy.k8s.io", ["v1alpha1"], "ImageReview");
  return {
    path,
    name: "image-review",
    async answer(review) {
      const spec: imagepolicyV1alpha1.ImageReviewSpec = reader.read(review).spec;
      const { containers = [], annotations = {}, namespace = "" } = spec;
      if (containers.length > maxContainers) {
        throw badRequest(`ImageReview: spec.containers: has more than ${maxContainers} items`);
      }
      const ruleSet = options.rules();
      const use = { namespace, annotations: new Map(Object.entries(annotations)) };
      const verdicts = await decisions.decide(
        containers.map(({ image = "" }) => image),
        use,
        ruleSet,
      );
      return answerOf(verdicts, ruleSet);
    },
  };
}

function answerOf(verdicts: readonly ImageVerdict[], { hash }: ImageRuleSet) {
  const denied = verdicts.filter(({ isAllowed }) => !isAllowed);
  const allowed = denied.length === 0;
  const deciders = new Set((allowed ? verdicts : denied).map(({ decidedBy }) => decidedBy));
  const body: JsonObject = {
    apiVersion,
    kind: "ImageReview",
    status: {
      allowed,
      ...(allowed ? {} : { reason: reasonOf(denied) }),
      auditAnnotations: { ...(deciders.size === 0 ? {} : { rule: [...deciders].join(",") }), "rules-hash": hash },
    },
  };
  return { body, outcome: allowed ? "allowed" : "denied" };
}

function reasonOf(denied: readonly ImageVerdict[]): string {
  const told = denied.slice(0, maxReasons).map(({ reason }) => reason);
  const left = denied.length - told.length;
  return [...told, ...(left === 0 ? [] : [`and ${left} more`])].join("; ");
}
