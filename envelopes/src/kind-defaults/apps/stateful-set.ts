import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { isSet, listAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

/**
 * Defaults of StatefulSet: one replica, pods in order, a rolling update, ten old revisions; further ones by feature
 * gate.
 */
export const statefulSetDefaults: DefaultingFunctions = inPackage("k8s.io.api.apps.v1", {
  StatefulSet(statefulSet, features) {
    const spec = ownObject(statefulSet, "spec");
    setIfZero(spec, "podManagementPolicy", "OrderedReady");
    const strategy = ownObject(spec, "updateStrategy");
    if (!isSet(strategy, "type") || strategy["type"] === "") {
      strategy["type"] = "RollingUpdate";
      ownObject(strategy, "rollingUpdate");
    }
    // A strategy that is named without its details does not get them: so v1.29 has it.
    if (strategy["type"] === "RollingUpdate" && isSet(strategy, "rollingUpdate")) {
      const rollingUpdate = ownObject(strategy, "rollingUpdate");
      setIfAbsent(rollingUpdate, "partition", 0);
      if (features.enabled("MaxUnavailableStatefulSet")) {
        setIfAbsent(rollingUpdate, "maxUnavailable", 1);
      }
    }
    if (features.enabled("StatefulSetAutoDeletePVC")) {
      const retention = ownObject(spec, "persistentVolumeClaimRetentionPolicy");
      setIfZero(retention, "whenDeleted", "Retain");
      setIfZero(retention, "whenScaled", "Retain");
    }
    setIfAbsent(spec, "replicas", 1);
    setIfAbsent(spec, "revisionHistoryLimit", 10);
    // Claims are shown as the objects they will become, whatever a client calls them.
    for (const claim of listAt(spec, "volumeClaimTemplates") as JsonObject[]) {
      claim["kind"] = "PersistentVolumeClaim";
      claim["apiVersion"] = "v1";
    }
  },
});
