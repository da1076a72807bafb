import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of SelfSubjectRulesReview, about all access of the user of the request in a namespace. */
export const selfSubjectRulesReviewDefinition: KindDefinition = {
  ...virtualResource,
  resource: "selfsubjectrulesreviews",
  kind: "SelfSubjectRulesReview",
  namespaced: false,
};
