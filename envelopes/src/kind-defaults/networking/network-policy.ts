import type { DefaultingFunctions } from "../../defaults/defaulting-function.js";
import { listAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of NetworkPolicy: it is for ingress, and for egress if it has rules for that. */
export const networkPolicyDefaults: DefaultingFunctions = {
  "k8s.io.api.networking.v1.NetworkPolicy"(policy) {
    const spec = ownObject(policy, "spec");
    if (listAt(spec, "policyTypes").length === 0) {
      spec["policyTypes"] = listAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    }
  },
};
