import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { apiServiceColumns } from "./columns.js";
import { apiServiceStrategy } from "./strategy.js";
import { apiServiceValidation } from "./validation.js";

/** The definition of APIService, named `<version>.<group>` and stored where kube-aggregator keeps them. */
export const apiServiceDefinition: KindDefinition = {
  resource: "apiservices",
  kind: "APIService",
  resetFields: { status: ["metadata", "spec"] },
  namespaced: false,
  finalizerNames: "any",
  categories: ["api-extensions"],
  subresources: [statusSubresource],
  storage: { prefix: "apiregistration.k8s.io/apiservices" },
  storageVersionHash: "InPBPD7+PqM=",
  nameFormat: "pathSegment",
  allowUnconditionalUpdate: false,
  metadataOnStatusUpdate: "kept",
  table: apiServiceColumns,
  validation: apiServiceValidation,
  ...apiServiceStrategy,
};
