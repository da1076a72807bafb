import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of SelfSubjectAccessReview, about the access of the user of the request. */
export const selfSubjectAccessReviewDefinition: KindDefinition = {
  ...virtualResource,
  resource: "selfsubjectaccessreviews",
  kind: "SelfSubjectAccessReview",
  namespaced: false,
};
