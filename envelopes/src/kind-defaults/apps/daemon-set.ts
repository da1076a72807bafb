import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import { isJsonObject } from "../../json/json.js";
import { ownObject } from "../../json/own-members.js";
import { templateGenerationAnnotation } from "./template-generation.js";

/** Defaults of DaemonSet: a rolling update of one node at a time, and ten old revisions. */
export const daemonSetDefaults: DefaultingFunctions = inPackage("k8s.io.api.apps.v1", {
  DaemonSet(daemonSet) {
    // v1.29 writes the number into whatever is sent, so that the sender owns it; what it is only the strategy knows.
    setIfAbsent(ownObject(ownObject(daemonSet, "metadata"), "annotations"), templateGenerationAnnotation, "0");
    const spec = ownObject(daemonSet, "spec");
    const strategy = ownObject(spec, "updateStrategy");
    setIfZero(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rollingUpdate = ownObject(strategy, "rollingUpdate");
      setIfAbsent(rollingUpdate, "maxUnavailable", 1);
      setIfAbsent(rollingUpdate, "maxSurge", 0);
    } else if (isJsonObject(strategy["rollingUpdate"])) {
      // Nothing asks for them, but v1.29 holds numbers there and not pointers.
      setIfAbsent(strategy["rollingUpdate"], "maxUnavailable", 0);
      setIfAbsent(strategy["rollingUpdate"], "maxSurge", 0);
    }
    setIfAbsent(spec, "revisionHistoryLimit", 10);
  },
});
