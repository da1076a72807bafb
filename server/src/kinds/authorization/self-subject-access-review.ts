import { type ResourceRow, virtualResource } from "../define-resource.js";

/** Tells whether who asks may do something. */
export const selfSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  namespaced: false,
};
