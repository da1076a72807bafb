import { type ResourceRow, virtualResource } from "../define-resource.js";

export const selfSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  namespaced: false,
};
