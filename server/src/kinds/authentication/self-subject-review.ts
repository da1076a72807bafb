import { type ResourceRow, virtualResource } from "../define-resource.js";

/** Tells who asks. */
export const selfSubjectReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  namespaced: false,
};
