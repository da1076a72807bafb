import { type ResourceRow, virtualResource } from "../define-resource.js";

export const selfSubjectReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  namespaced: false,
};
