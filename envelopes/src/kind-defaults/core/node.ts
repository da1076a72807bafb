import { type DefaultingRules, rulesOf } from "../../defaults/defaulting-rule.js";
import type { JsonObject } from "../../json/json.js";
import { isSet, listAt, objectAt, textAt } from "../../json/json-fields.js";

/** All that the node has can be given to pods, unless it says less. */
export const nodeDefaults: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  NodeSpec: nameRangeTwice,
  NodeStatus(status) {
    if (!isSet(status, "allocatable") && isSet(status, "capacity")) {
      status["allocatable"] = { ...objectAt(status, "capacity") };
    }
  },
});

/**
 * `podCIDR` is the first of `podCIDRs`. Where they differ the single one wins: a client that knows no other has changed
 * it.
 */
function nameRangeTwice(spec: JsonObject): void {
  const single = textAt(spec, "podCIDR");
  const first = String(listAt(spec, "podCIDRs")[0] ?? "");
  if (single === "" && first !== "") {
    spec["podCIDR"] = first;
  } else if (single !== first) {
    spec["podCIDRs"] = [single];
  }
}
