import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of SelfSubjectAccessReview, about the access of the user of the request. */
export const selfSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  namespaced: false,
};
