import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { localSubjectAccessReviewDefinition } from "./local-subject-access-review.js";
import { selfSubjectAccessReviewDefinition } from "./self-subject-access-review.js";
import { selfSubjectRulesReviewDefinition } from "./self-subject-rules-review.js";
import { subjectAccessReviewDefinition } from "./subject-access-review.js";

/** The resources of authorization.k8s.io: reviews of access. */
export const authorizationResources: readonly ResourceDefinition[] = defineResources("authorization.k8s.io", "v1", [
  localSubjectAccessReviewDefinition,
  selfSubjectAccessReviewDefinition,
  selfSubjectRulesReviewDefinition,
  subjectAccessReviewDefinition,
]);
