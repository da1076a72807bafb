import { type ResourceRow, virtualResource } from "../define-resource.js";

export const tokenReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
};
