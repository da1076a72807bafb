import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of LocalSubjectAccessReview, about the access of a user in the namespace of the path. */
export const localSubjectAccessReviewDefinition: KindDefinition = {
  ...virtualResource,
  resource: "localsubjectaccessreviews",
  kind: "LocalSubjectAccessReview",
  namespaced: true,
};
