import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { localSubjectAccessReviewRow } from "./local-subject-access-review.js";
import { selfSubjectAccessReviewRow } from "./self-subject-access-review.js";
import { selfSubjectRulesReviewRow } from "./self-subject-rules-review.js";
import { subjectAccessReviewRow } from "./subject-access-review.js";

/** The resources of authorization.k8s.io: reviews of access. */
export const authorizationResources: readonly ResourceDefinition[] = defineResources("authorization.k8s.io", "v1", [
  localSubjectAccessReviewRow,
  selfSubjectAccessReviewRow,
  selfSubjectRulesReviewRow,
  subjectAccessReviewRow,
]);
