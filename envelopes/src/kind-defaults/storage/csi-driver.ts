import { type DefaultingFunction, type DefaultingFunctions, setIfAbsent } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { listAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/**
 * Defaults of CSIDriver: volumes are attached before they are mounted, and outlive their pods; nothing else is
 * required.
 */
export const csiDriverDefaults: DefaultingFunctions = {
  "k8s.io.api.storage.v1.CSIDriver": completeDriver,
};

const driverDefaults = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  requiresRepublish: false,
};

function completeDriver(driver: JsonObject, features: Parameters<DefaultingFunction>[1]): void {
  const spec = ownObject(driver, "spec");
  for (const [name, value] of Object.entries(driverDefaults)) {
    setIfAbsent(spec, name, value);
  }
  if (listAt(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  if (features.enabled("SELinuxMountReadWriteOncePod")) {
    setIfAbsent(spec, "seLinuxMount", false);
  }
}
