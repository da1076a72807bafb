import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** Tells whether who asks may do something. */
export const selfSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  namespaced: false,
};
