import { type Conversion, metadataWith, present, struct, unlessZero } from "@gatehouse/apiserver/conversion";
import { readGoJson, readGoMessage } from "@gatehouse/envelopes/go";
import {
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { behaviorFromAnnotation, behaviorToAnnotation } from "./behavior.js";
import { metricFromV1, metricStatusFromV1, metricStatusToV1, metricToV1 } from "./v1-metrics.js";

/** Annotations in which autoscaling/v1 carries everything beyond the CPU utilization. */
const annotation = {
  metrics: "autoscaling.alpha.kubernetes.io/metrics",
  currentMetrics: "autoscaling.alpha.kubernetes.io/current-metrics",
  conditions: "autoscaling.alpha.kubernetes.io/conditions",
  behavior: "autoscaling.alpha.kubernetes.io/behavior",
} as const;

const defaultCpuUtilization = 80;

/** The conversion of autoscaling/v1, which is stored in the form of v2. */
export const autoscalerConversion: Conversion = { toStored: autoscalerFromV1, fromStored: autoscalerToV1 };

/** Returns an autoscaler of autoscaling/v1 from one of v2. */
function autoscalerToV1(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const status = objectAt(object, "status");
  const metrics = listAt(spec, "metrics");
  const statuses = listAt(status, "currentMetrics");
  const others = metrics.filter((metric) => !isCpuUtilization(metric)).map(metricToV1);
  const conditions = listAt(status, "conditions");
  const annotations = withoutOurs(objectAt(object, "metadata", "annotations"));
  if (others.length > 0) {
    annotations[annotation.metrics] = encode(others);
  }
  if (statuses.length > 0) {
    annotations[annotation.currentMetrics] = encode(statuses.map(metricStatusToV1));
  }
  if (isSet(spec, "behavior")) {
    annotations[annotation.behavior] = encode(behaviorToAnnotation(objectAt(spec, "behavior")));
  }
  if (conditions.length > 0) {
    annotations[annotation.conditions] = encode(conditions);
  }
  return {
    metadata: metadataWith(object, annotations),
    spec: present({
      scaleTargetRef: struct(spec["scaleTargetRef"]),
      minReplicas: spec["minReplicas"] ?? undefined,
      maxReplicas: spec["maxReplicas"] ?? 0,
      targetCPUUtilizationPercentage: cpuTarget(metrics),
    }),
    status: present({
      observedGeneration: status["observedGeneration"] ?? undefined,
      lastScaleTime: status["lastScaleTime"] ?? undefined,
      currentReplicas: status["currentReplicas"] ?? 0,
      desiredReplicas: status["desiredReplicas"] ?? 0,
      currentCPUUtilizationPercentage: currentCpu(statuses),
    }),
  };
}

/** Returns an autoscaler of v2 from one of autoscaling/v1. */
function autoscalerFromV1(object: JsonObject): JsonObject {
  const spec = objectAt(object, "spec");
  const status = objectAt(object, "status");
  const annotations = objectAt(object, "metadata", "annotations");
  const conditions = decodeList(annotations, annotation.conditions, "HorizontalPodAutoscalerCondition") ?? [];
  return {
    metadata: metadataWith(object, withoutOurs(annotations)),
    spec: present({
      scaleTargetRef: struct(spec["scaleTargetRef"]),
      minReplicas: spec["minReplicas"] ?? undefined,
      maxReplicas: spec["maxReplicas"] ?? 0,
      metrics: metricsFromV1(spec, annotations),
      behavior: behaviorFromAnnotation(decode(annotations, annotation.behavior)),
    }),
    status: present({
      observedGeneration: status["observedGeneration"] ?? undefined,
      lastScaleTime: status["lastScaleTime"] ?? undefined,
      currentReplicas: unlessZero(status["currentReplicas"]),
      desiredReplicas: status["desiredReplicas"] ?? 0,
      currentMetrics: metricStatusesFromV1(status, annotations),
      conditions: conditions.length === 0 ? undefined : conditions,
    }),
  };
}

function isCpuUtilization(metric: JsonValue): boolean {
  return isCpu(metric) && isSet(metric, "resource", "target", "averageUtilization");
}

function isCpu(metric: JsonValue): boolean {
  return textAt(metric, "type") === "Resource" && textAt(metric, "resource", "name") === "cpu";
}

/** Returns the first metric of the CPU utilization. */
function cpuTarget(metrics: JsonArray): JsonValue | undefined {
  return valueAt(metrics.find(isCpuUtilization), "resource", "target", "averageUtilization") ?? undefined;
}

/** Returns the last status of the CPU utilization. */
function currentCpu(statuses: JsonArray): JsonValue | undefined {
  const status = statuses.findLast((item) => isCpu(item) && isSet(item, "resource", "current", "averageUtilization"));
  return valueAt(status, "resource", "current", "averageUtilization");
}

function metricsFromV1(spec: JsonObject, annotations: JsonObject): JsonArray {
  const metrics: JsonArray = (decodeList(annotations, annotation.metrics, "MetricSpec") ?? []).map(metricFromV1);
  if (isSet(spec, "targetCPUUtilizationPercentage")) {
    metrics.push(cpuMetric(spec["targetCPUUtilizationPercentage"] as JsonValue));
  }
  // The controllers of v1 defaulted to this target.
  return metrics.length > 0 ? metrics : [cpuMetric(defaultCpuUtilization)];
}

function cpuMetric(averageUtilization: JsonValue): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** Returns the metric statuses of v2. The annotation holds more than the one number of v1, and wins. */
function metricStatusesFromV1(status: JsonObject, annotations: JsonObject): JsonArray | null {
  const saved = decodeList(annotations, annotation.currentMetrics, "MetricStatus");
  if (saved !== undefined) {
    return saved.length === 0 ? null : saved.map(metricStatusFromV1);
  }
  const averageUtilization = status["currentCPUUtilizationPercentage"];
  return averageUtilization === undefined || averageUtilization === null
    ? null
    : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization } } }];
}

function withoutOurs(annotations: JsonObject): JsonObject {
  const rest: JsonObject = { ...annotations };
  for (const name of Object.values(annotation)) {
    delete rest[name];
  }
  return rest;
}

/** Returns JSON as Go writes it: characters that could end an HTML script are escaped. */
function encode(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the value in an annotation; undefined when it is absent or no JSON. Users can write anything there. */
function decode(annotations: JsonObject, name: string): JsonValue | undefined {
  const json = readGoJson(Buffer.from(textAt(annotations, name)));
  return "problem" in json ? undefined : json.value;
}

/** Returns the structs of a type in an annotation; undefined when it holds anything else, which has no meaning then. */
function decodeList(annotations: JsonObject, name: string, type: string): JsonObject[] | undefined {
  const value = decode(annotations, name);
  const items = value === null ? [] : value;
  if (!Array.isArray(items)) {
    return undefined;
  }
  const schema = messageSchema(`k8s.io.api.autoscaling.v1.${type}`);
  const read = items.map((item) => readGoMessage(schema, item));
  return read.some((item) => item === undefined) ? undefined : (read as JsonObject[]);
}
