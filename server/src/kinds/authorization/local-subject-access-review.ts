import { type ResourceRow, virtualResource } from "../define-resource.js";

/** The definition of LocalSubjectAccessReview, about the access of a user in the namespace of the path. */
export const localSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "localsubjectaccessreviews",
  kind: "LocalSubjectAccessReview",
  namespaced: true,
};
