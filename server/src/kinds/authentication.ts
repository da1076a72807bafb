import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, virtualResource } from "./define-resource.js";

/** Questions about who somebody is. */
export const authenticationResources: readonly ResourceDefinition[] = [
  ...defineResources("authentication.k8s.io", "v1", [
    { ...virtualResource, resource: "selfsubjectreviews", kind: "SelfSubjectReview", namespaced: false },
    { ...virtualResource, resource: "tokenreviews", kind: "TokenReview", namespaced: false },
  ]),
  ...defineResources("authentication.k8s.io", "v1beta1", [
    {
      ...virtualResource,
      resource: "selfsubjectreviews",
      kind: "SelfSubjectReview",
      namespaced: false,
      servedByDefault: false,
    },
  ]),
  ...defineResources("authentication.k8s.io", "v1alpha1", [
    {
      ...virtualResource,
      resource: "selfsubjectreviews",
      kind: "SelfSubjectReview",
      namespaced: false,
      servedByDefault: false,
    },
  ]),
];
