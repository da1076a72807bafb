import { type ResourceRow, virtualResource } from "../define-resource.js";

export const localSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "localsubjectaccessreviews",
  kind: "LocalSubjectAccessReview",
  namespaced: true,
};
