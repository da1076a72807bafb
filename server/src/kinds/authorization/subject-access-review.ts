import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** Tells whether somebody may do something. */
export const subjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};
