import { type DefaultingFunctions, inPackage } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { isSet, listAt, objectAt, textAt } from "../../json/json-fields.js";

/** Defaults of Node: allocatable resources are the capacity, unless stated. */
export const nodeDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  NodeSpec: nameRangeTwice,
  NodeStatus(status) {
    if (!isSet(status, "allocatable") && isSet(status, "capacity")) {
      status["allocatable"] = { ...objectAt(status, "capacity") };
    }
  },
});

/**
 * Sets `podCIDR` to the first of `podCIDRs` and the reverse. If they differ, the single one wins: a client that knows
 * no other has changed it.
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
