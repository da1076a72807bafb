import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { networkPolicyColumns } from "./columns.js";
import { networkPolicyValidation } from "./validation.js";

/** The definition of NetworkPolicy, the traffic allowed to and from pods. All generic rules hold. */
export const networkPolicyDefinition: KindDefinition = {
  resource: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
  metadataRechecks: "inValidation",
  shortNames: ["netpol"],
  storageVersionHash: "YpfwF18m1G8=",
  hasGeneration: true,
  countsEmptied: true,
  table: networkPolicyColumns,
  validation: networkPolicyValidation,
};
