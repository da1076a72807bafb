import { type ResourceRow, virtualResource } from "../define-resource.js";

/** The definition of SubjectAccessReview, about the access of a user. */
export const subjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};
