import type { JsonObject } from "../../json/json.js";

/** Returns the default rules for scaling up: by four pods or to double their number every 15 s, whichever is more. */
export function defaultScaleUpRules(): JsonObject {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  };
}

/** Returns the default rules for scaling down: all at once, after the stabilization window of the controller. */
export function defaultScaleDownRules(): JsonObject {
  return { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };
}
