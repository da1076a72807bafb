import { wasSentEmpty } from "../../codec/member-notes.js";
import { type DefaultingFunctions, setIfAbsent } from "../../defaults/defaulting-function.js";
import type { JsonObject } from "../../json/json.js";
import { isSet, listAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";
import { defaultScaleDownRules, defaultScaleUpRules } from "./scaling-behavior.js";

/**
 * Defaults of HorizontalPodAutoscaler: one replica at least; in v2 also a CPU target of 80 %, and the missing rules of
 * a behavior.
 */
export const horizontalPodAutoscalerDefaults: DefaultingFunctions = {
  "k8s.io.api.autoscaling.v1.HorizontalPodAutoscaler"(autoscaler) {
    setIfAbsent(ownObject(autoscaler, "spec"), "minReplicas", 1);
  },
  "k8s.io.api.autoscaling.v2.HorizontalPodAutoscaler"(autoscaler) {
    const spec = ownObject(autoscaler, "spec");
    setIfAbsent(spec, "minReplicas", 1);
    if (listAt(spec, "metrics").length === 0) {
      spec["metrics"] = [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ];
    }
    if (isSet(spec, "behavior")) {
      const behavior = ownObject(spec, "behavior");
      addMissing(ownObject(behavior, "scaleUp"), defaultScaleUpRules());
      addMissing(ownObject(behavior, "scaleDown"), defaultScaleDownRules());
    }
  },
};

function addMissing(object: JsonObject, defaults: JsonObject): void {
  for (const [name, value] of Object.entries(defaults)) {
    // A list of no policies is not taken for none: it is refused.
    if (value !== undefined && !wasSentEmpty(object, name)) {
      setIfAbsent(object, name, value);
    }
  }
}
