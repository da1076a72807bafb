import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";

/** The definition of SubjectAccessReview, about the access of a user. */
export const subjectAccessReviewDefinition: KindDefinition = {
  ...virtualResource,
  resource: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
};
