import { type DefaultingRules, rulesOf } from "../../../defaults/defaulting-rule.js";
import { isSet, objectAt } from "../../../objects/json-fields.js";

/** All that the node has can be given to pods, unless it says less. */
export const nodeDefaults: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  NodeStatus(status) {
    if (!isSet(status, "allocatable") && isSet(status, "capacity")) {
      status["allocatable"] = { ...objectAt(status, "capacity") };
    }
  },
});
