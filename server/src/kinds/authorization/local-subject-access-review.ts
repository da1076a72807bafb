import { type ResourceRow, virtualResource } from "@gatehouse/apiserver/registry";

/** Tells whether somebody may do something in the namespace of the path. */
export const localSubjectAccessReviewRow: ResourceRow = {
  ...virtualResource,
  resource: "localsubjectaccessreviews",
  kind: "LocalSubjectAccessReview",
  namespaced: true,
};
