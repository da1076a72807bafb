import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** Tells all that who asks may do in a namespace. */
export const selfSubjectRulesReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  namespaced: false,
};
