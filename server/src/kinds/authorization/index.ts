import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { defineResources } from "@gatehouse/apiserver/registry";
import { localSubjectAccessReviewRow } from "./local-subject-access-review.js";
import { selfSubjectAccessReviewRow } from "./self-subject-access-review.js";
import { selfSubjectRulesReviewRow } from "./self-subject-rules-review.js";
import { subjectAccessReviewRow } from "./subject-access-review.js";

/** Questions about what somebody may do. */
export const authorizationResources: readonly ResourceDefinition[] = defineResources("authorization.k8s.io", "v1", [
  localSubjectAccessReviewRow,
  selfSubjectAccessReviewRow,
  selfSubjectRulesReviewRow,
  subjectAccessReviewRow,
]);
