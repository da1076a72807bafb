import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { networkPolicyTable } from "./columns.js";
import { networkPolicyRules } from "./rules.js";

/** The definition of NetworkPolicy, the traffic allowed to and from pods. All generic rules hold. */
export const networkPolicyRow: ResourceRow = {
  resource: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
  metadataRechecks: "inRules",
  shortNames: ["netpol"],
  storageVersionHash: "YpfwF18m1G8=",
  hasGeneration: true,
  countsEmptied: true,
  table: networkPolicyTable,
  rules: networkPolicyRules,
};
