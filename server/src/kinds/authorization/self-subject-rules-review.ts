import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of SelfSubjectRulesReview, about all access of the user of the request in a namespace. */
export const selfSubjectRulesReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  namespaced: false,
};
