import { documentValidator } from "@gatehouse/component-base";
import {
  badRequest,
  type imagepolicyV1alpha1,
  type JsonObject,
  type KindSchema,
  kindSchema,
} from "@gatehouse/envelopes";
import type { ImageVerdict } from "@gatehouse/policies";
import type { ReviewEndpoint } from "../server/review-endpoint.js";
import type { ImageDecisions } from "./decide-images.js";
import type { RuleSet } from "./reloading-rules.js";

const apiVersion = "imagepolicy.k8s.io/v1alpha1";
/** A pod has fewer; what has more is no review of a pod. */
const maxContainers = 5000;
/** Denials that are told in full. The others would only make the message too long to read. */
const maxReasons = 5;

/** What the endpoint decides with. */
export interface ImageReviewOptions {
  readonly decisions: ImageDecisions;
  /** The rules of now. */
  readonly rules: () => RuleSet;
  /** Default `/review`. */
  readonly path?: string;
}

/** Answers ImageReviews of v1alpha1. The rule that has decided is told in the reason and to the audit log. */
export async function imageReviewEndpoint(options: ImageReviewOptions): Promise<ReviewEndpoint> {
  const { decisions, path = "/review" } = options;
  const kind = kindSchema("imagepolicy.k8s.io", "v1alpha1", "ImageReview") as KindSchema;
  // Members that we do not know are no fault: API servers may be newer.
  const validate = await documentValidator(kind, { unknownMembers: "allowed" });
  return {
    path,
    name: "image-review",
    async answer(review) {
      if (review["apiVersion"] !== apiVersion || review["kind"] !== "ImageReview") {
        throw badRequest(
          `${JSON.stringify(review["kind"] ?? null)} of ${JSON.stringify(review["apiVersion"] ?? null)} is no ImageReview of ${apiVersion}`,
        );
      }
      // What went before is of no use to us, and API servers send times that are null.
      const problems = validate({ apiVersion, kind: "ImageReview", spec: review["spec"] ?? null });
      if (problems.length > 0) {
        throw badRequest(`ImageReview: ${problems.map(({ message }) => message).join("; ")}`);
      }
      const { containers = [], annotations = {}, namespace = "" } = specOf(review);
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

/** As the validator has found it to be, but for what is null. */
function specOf(review: JsonObject): imagepolicyV1alpha1.ImageReviewSpec {
  const spec = (review["spec"] ?? {}) as JsonObject;
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

function answerOf(verdicts: readonly ImageVerdict[], { hash }: RuleSet) {
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
