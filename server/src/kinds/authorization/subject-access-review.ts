import { type ResourceRow, virtualResource } from "../define-resource.js";

export const subjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};
