import { type ResourceRow, virtualResource } from "../define-resource.js";

/** Tells whether somebody may do something. */
export const subjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};
