import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { selfSubjectReviewRow } from "./self-subject-review.js";
import { tokenReviewRow } from "./token-review.js";

/** The resources of authentication.k8s.io: reviews of users and tokens. */
export const authenticationResources: readonly ResourceDefinition[] = [
  ...defineResources("authentication.k8s.io", "v1", [selfSubjectReviewRow, tokenReviewRow]),
  ...defineResources("authentication.k8s.io", "v1beta1", [{ ...selfSubjectReviewRow, servedByDefault: false }]),
  ...defineResources("authentication.k8s.io", "v1alpha1", [{ ...selfSubjectReviewRow, servedByDefault: false }]),
];
