import { type DefaultingFunctions, setIfZero } from "../../defaults/defaulting-function.js";
import { isSet } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";
import { preserveZeroSharesAnnotation } from "./zero-shares.js";

/**
 * Defaults of PriorityLevelConfiguration: in v1beta3, 0 shares become 30 unless an annotation says that 0 is meant, as
 * in v1.
 */
export const priorityLevelConfigurationDefaults: DefaultingFunctions = {
  "k8s.io.api.flowcontrol.v1beta3.PriorityLevelConfiguration"(level) {
    const zeroIsMeant = isSet(level, "metadata", "annotations", preserveZeroSharesAnnotation);
    if (isSet(level, "spec", "limited") && !zeroIsMeant) {
      setIfZero(ownObject(ownObject(level, "spec"), "limited"), "nominalConcurrencyShares", 30);
    }
  },
};
