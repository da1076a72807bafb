import { type ResourceRow, virtualResource } from "../define-resource.js";

/** The definition of SelfSubjectRulesReview, about all access of the user of the request in a namespace. */
export const selfSubjectRulesReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  namespaced: false,
};
