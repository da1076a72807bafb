import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import { ownObject } from "../../json/own-members.js";

/**
 * Defaults of Deployment: one replica, a rolling update by a quarter of the pods, ten old revisions, ten minutes for
 * progress.
 */
export const deploymentDefaults: DefaultingFunctions = inPackage("k8s.io.api.apps.v1", {
  Deployment(deployment) {
    const spec = ownObject(deployment, "spec");
    setIfAbsent(spec, "replicas", 1);
    const strategy = ownObject(spec, "strategy");
    setIfZero(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rollingUpdate = ownObject(strategy, "rollingUpdate");
      setIfAbsent(rollingUpdate, "maxUnavailable", "25%");
      setIfAbsent(rollingUpdate, "maxSurge", "25%");
    }
    setIfAbsent(spec, "revisionHistoryLimit", 10);
    setIfAbsent(spec, "progressDeadlineSeconds", 600);
  },
});
