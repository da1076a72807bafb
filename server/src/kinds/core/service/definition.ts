import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { serviceColumns } from "./columns.js";
import { completeServiceOnRead } from "./complete-on-read.js";
import { serviceStrategy } from "./strategy.js";

/**
 * The definition of Service, one address for several pods. Its name must be a DNS label of RFC 1035; stored under
 * `services/specs`.
 */
export const serviceDefinition: KindDefinition = {
  resource: "services",
  kind: "Service",
  namespaced: true,
  shortNames: ["svc"],
  categories: ["all"],
  subresources: [
    {
      name: "proxy",
      kind: { group: "", version: "v1", kind: "ServiceProxyOptions" },
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: { takesPath: true },
    },
    statusSubresource,
  ],
  storage: { prefix: "services/specs", completeOnRead: completeServiceOnRead },
  storageVersionHash: "0/CO1lhkEBI=",
  table: serviceColumns,
  strategy: serviceStrategy,
};
