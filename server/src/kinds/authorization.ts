import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, virtualResource } from "./define-resource.js";

/** Questions about what somebody may do. */
export const authorizationResources: readonly ResourceDefinition[] = defineResources("authorization.k8s.io", "v1", [
  { ...virtualResource, resource: "localsubjectaccessreviews", kind: "LocalSubjectAccessReview", namespaced: true },
  { ...virtualResource, resource: "selfsubjectaccessreviews", kind: "SelfSubjectAccessReview", namespaced: false },
  { ...virtualResource, resource: "selfsubjectrulesreviews", kind: "SelfSubjectRulesReview", namespaced: false },
  { ...virtualResource, resource: "subjectaccessreviews", kind: "SubjectAccessReview", namespaced: false },
]);
