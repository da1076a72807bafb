import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of SubjectAccessReview, about the access of a user. */
export const subjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};
