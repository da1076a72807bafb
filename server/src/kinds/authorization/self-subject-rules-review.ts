import { type ResourceRow, virtualResource } from "../define-resource.js";

export const selfSubjectRulesReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  namespaced: false,
};
