import { present, versionsOfSameShape } from "@gatehouse/apiserver/conversion";
import { type JsonObject, listAt, objectAt } from "@gatehouse/envelopes/json";
import { autoscalerConversion } from "../autoscaling/horizontal-pod-autoscaler/conversion.js";
import { metricFromV1, metricStatusFromV1 } from "../autoscaling/horizontal-pod-autoscaler/v1-metrics.js";
import type { StoredFormTable } from "./stored-form.js";

/** Autoscalers in autoscaling/v1, v2beta1 and v2beta2. */
export const autoscalerForms: StoredFormTable = {
  horizontalpodautoscalers: {
    olderVersions: [
      { group: "autoscaling", version: "v1", toStored: autoscalerConversion.toStored },
      { group: "autoscaling", version: "v2beta1", toStored: autoscalerFromBeta1 },
      ...versionsOfSameShape("autoscaling", "v2beta2"),
    ],
  },
};

/** Converts an autoscaler of v2beta1, whose metrics have the form of the annotation of v1. */
function autoscalerFromBeta1(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const status = objectAt(object, "status");
  const { metadata, behavior } = takeBehavior(object);
  const metrics = listAt(spec, "metrics").map(metricFromV1);
  const statuses = status["currentMetrics"];
  return {
    ...object,
    metadata,
    spec: present({ ...spec, metrics, behavior }),
    status: { ...status, currentMetrics: Array.isArray(statuses) ? statuses.map(metricStatusFromV1) : null },
  };
}

/** Returns the metadata without the annotations that stand for members of v2, and the behavior that one of them holds. */
function takeBehavior(object: JsonObject): {
  readonly metadata: JsonObject;
  readonly behavior: JsonObject | undefined;
} {
  const converted = autoscalerConversion.toStored(object);
  const behavior = objectAt(converted, "spec")["behavior"];
  return {
    metadata: objectAt(converted, "metadata"),
    behavior: behavior === undefined || behavior === null ? undefined : objectAt(behavior),
  };
}
