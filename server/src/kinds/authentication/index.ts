import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { selfSubjectReviewDefinition } from "./self-subject-review.js";
import { tokenReviewDefinition } from "./token-review.js";

/** The resources of authentication.k8s.io: reviews of users and tokens. */
export const authenticationResources: readonly ResourceDefinition[] = [
  ...defineResources("authentication.k8s.io", "v1", [selfSubjectReviewDefinition, tokenReviewDefinition]),
  ...defineResources("authentication.k8s.io", "v1beta1", [{ ...selfSubjectReviewDefinition, servedByDefault: false }]),
  ...defineResources("authentication.k8s.io", "v1alpha1", [{ ...selfSubjectReviewDefinition, servedByDefault: false }]),
];
