import { type ResourceRow, virtualResource } from "../define-resource.js";

/** Tells whose a token is. */
export const tokenReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
};
