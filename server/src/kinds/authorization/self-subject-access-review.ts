import { type ResourceRow, virtualResource } from "../define-resource.js";

/** The definition of SelfSubjectAccessReview, about the access of the user of the request. */
export const selfSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  namespaced: false,
};
