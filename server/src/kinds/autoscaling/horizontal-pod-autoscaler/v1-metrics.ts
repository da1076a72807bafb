import { present, struct } from "@gatehouse/apiserver/conversion";
import { isJsonObject, isSet, type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";

/**
 * Metrics in the form of autoscaling/v1 have the members of `metric`, `target` and `current` of v2 on the metric
 * itself. Amounts that v1 requires are "0" there when v2 has none.
 */

/** Names of the members that hold the source and the status of each type of metric. */
const memberByType: Readonly<Record<string, string>> = {
  Object: "object",
  Pods: "pods",
  Resource: "resource",
  ContainerResource: "containerResource",
  External: "external",
};

type Convert = (source: JsonObject) => JsonObject;

function convertMetric(metric: JsonValue, converters: Readonly<Record<string, Convert>>): JsonObject {
  const result: JsonObject = { type: textAt(metric, "type") };
  for (const member of Object.values(memberByType)) {
    const convert = converters[member];
    const source = isJsonObject(metric) ? metric[member] : undefined;
    if (convert !== undefined && isJsonObject(source)) {
      result[member] = convert(source);
    }
  }
  return result;
}

function optional(value: JsonValue | undefined): JsonValue | undefined {
  return value ?? undefined;
}

function amount(value: JsonValue | undefined): JsonValue {
  return value ?? "0";
}

function identifier(name: JsonValue | undefined, selector: JsonValue | undefined): JsonObject {
  return present({ name: name ?? "", selector: optional(selector) });
}

/** Converts one of `spec.metrics` of v2 for the annotation of v1, which has no member for it. */
export function metricToV1(metric: JsonValue): JsonObject {
  return convertMetric(metric, sourcesToV1);
}

const sourcesToV1: Readonly<Record<string, Convert>> = {
  object: (source) => ({
    target: struct(source["describedObject"]),
    metricName: textAt(source, "metric", "name"),
    ...present({
      targetValue: amount(objectAt(source, "target")["value"]),
      selector: optional(objectAt(source, "metric")["selector"]),
      averageValue: optional(objectAt(source, "target")["averageValue"]),
    }),
  }),
  pods: (source) =>
    present({
      metricName: textAt(source, "metric", "name"),
      targetAverageValue: amount(objectAt(source, "target")["averageValue"]),
      selector: optional(objectAt(source, "metric")["selector"]),
    }),
  resource: (source) => resourceToV1(source, "target"),
  containerResource: (source) => ({
    ...resourceToV1(source, "target"),
    container: textAt(source, "container"),
  }),
  external: (source) =>
    present({
      metricName: textAt(source, "metric", "name"),
      metricSelector: optional(objectAt(source, "metric")["selector"]),
      targetValue: optional(objectAt(source, "target")["value"]),
      targetAverageValue: optional(objectAt(source, "target")["averageValue"]),
    }),
};

function resourceToV1(source: JsonObject, member: "target"): JsonObject {
  const target = objectAt(source, member);
  return present({
    name: textAt(source, "name"),
    targetAverageUtilization: optional(target["averageUtilization"]),
    targetAverageValue: optional(target["averageValue"]),
  });
}

/**
 * Converts a metric from the annotation of v1 to v2. The type of its target, which v1 does not name, follows from the
 * amounts that are set.
 */
export function metricFromV1(metric: JsonValue): JsonObject {
  return convertMetric(metric, sourcesFromV1);
}

const sourcesFromV1: Readonly<Record<string, Convert>> = {
  object: (source) => ({
    describedObject: struct(source["target"]),
    target: present({
      type: isSet(source, "averageValue") ? "AverageValue" : "Value",
      value: amount(source["targetValue"]),
      averageValue: optional(source["averageValue"]),
    }),
    metric: identifier(source["metricName"], source["selector"]),
  }),
  pods: (source) => ({
    metric: identifier(source["metricName"], source["selector"]),
    target: { type: "AverageValue", averageValue: amount(source["targetAverageValue"]) },
  }),
  resource: resourceFromV1,
  containerResource: (source) => ({ ...resourceFromV1(source), container: textAt(source, "container") }),
  external: (source) => ({
    metric: identifier(source["metricName"], source["metricSelector"]),
    target: present({
      type: isSet(source, "targetValue") ? "Value" : "AverageValue",
      value: optional(source["targetValue"]),
      averageValue: optional(source["targetAverageValue"]),
    }),
  }),
};

function resourceFromV1(source: JsonObject): JsonObject {
  return {
    name: textAt(source, "name"),
    target: present({
      type: isSet(source, "targetAverageUtilization") ? "Utilization" : "AverageValue",
      averageValue: optional(source["targetAverageValue"]),
      averageUtilization: optional(source["targetAverageUtilization"]),
    }),
  };
}

/** Converts one of `status.currentMetrics` of v2 for the annotation of v1. */
export function metricStatusToV1(status: JsonValue): JsonObject {
  return convertMetric(status, statusesToV1);
}

const statusesToV1: Readonly<Record<string, Convert>> = {
  object: (status) => ({
    target: struct(status["describedObject"]),
    metricName: textAt(status, "metric", "name"),
    ...present({
      currentValue: amount(objectAt(status, "current")["value"]),
      selector: optional(objectAt(status, "metric")["selector"]),
      averageValue: optional(objectAt(status, "current")["averageValue"]),
    }),
  }),
  pods: (status) =>
    present({
      metricName: textAt(status, "metric", "name"),
      currentAverageValue: amount(objectAt(status, "current")["averageValue"]),
      selector: optional(objectAt(status, "metric")["selector"]),
    }),
  resource: resourceStatusToV1,
  containerResource: (status) => ({ ...resourceStatusToV1(status), container: textAt(status, "container") }),
  external: (status) =>
    present({
      metricName: textAt(status, "metric", "name"),
      metricSelector: optional(objectAt(status, "metric")["selector"]),
      currentValue: amount(objectAt(status, "current")["value"]),
      currentAverageValue: optional(objectAt(status, "current")["averageValue"]),
    }),
};

function resourceStatusToV1(status: JsonObject): JsonObject {
  const current = objectAt(status, "current");
  return present({
    name: textAt(status, "name"),
    currentAverageUtilization: optional(current["averageUtilization"]),
    currentAverageValue: amount(current["averageValue"]),
  });
}

/** Converts a metric status from the annotation of v1 to v2. */
export function metricStatusFromV1(status: JsonValue): JsonObject {
  return convertMetric(status, statusesFromV1);
}

const statusesFromV1: Readonly<Record<string, Convert>> = {
  object: (status) => ({
    metric: identifier(status["metricName"], status["selector"]),
    current: present({ value: amount(status["currentValue"]), averageValue: optional(status["averageValue"]) }),
    describedObject: struct(status["target"]),
  }),
  pods: (status) => ({
    metric: identifier(status["metricName"], status["selector"]),
    current: { averageValue: amount(status["currentAverageValue"]) },
  }),
  resource: resourceStatusFromV1,
  containerResource: (status) => ({ ...resourceStatusFromV1(status), container: textAt(status, "container") }),
  external: (status) => ({
    metric: identifier(status["metricName"], status["metricSelector"]),
    current: present({
      value: amount(status["currentValue"]),
      averageValue: optional(status["currentAverageValue"]),
    }),
  }),
};

function resourceStatusFromV1(status: JsonObject): JsonObject {
  return {
    name: textAt(status, "name"),
    current: present({
      averageValue: amount(status["currentAverageValue"]),
      averageUtilization: optional(status["currentAverageUtilization"]),
    }),
  };
}
