import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { apiServiceColumns } from "./columns.js";
import { apiServiceStrategy } from "./strategy.js";

/** The definition of APIService, named `<version>.<group>` and stored where kube-aggregator keeps them. */
export const apiServiceDefinition: KindDefinition = {
  resource: "apiservices",
  kind: "APIService",
  namespaced: false,
  categories: ["api-extensions"],
  subresources: [{ ...statusSubresource, hasNoTable: true }],
  storage: { prefix: "apiregistration.k8s.io/apiservices" },
  storageVersionHash: "InPBPD7+PqM=",
  table: apiServiceColumns,
  strategy: apiServiceStrategy,
};
