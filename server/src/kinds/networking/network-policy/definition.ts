import { exactGenerationOf, type KindDefinition } from "@gatehouse/apiserver/registry";
import { networkPolicyColumns } from "./columns.js";
import { networkPolicyValidation } from "./validation.js";

/** The definition of NetworkPolicy, the traffic allowed to and from pods. All generic rules hold. */
export const networkPolicyDefinition: KindDefinition = {
  resource: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
  shortNames: ["netpol"],
  storageVersionHash: "YpfwF18m1G8=",
  table: networkPolicyColumns,
  strategy: {
    validation: networkPolicyValidation,
    metadata: { rechecks: "inValidation" },
    generation: exactGenerationOf("spec"),
  },
};
