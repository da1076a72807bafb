import { andMore, scalarText } from "@gatehouse/apiserver/tables";
import {
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";

const unknown = "<unknown>";
/** Text for an absent quantity that is required. */
const noQuantity = "<nil>";
const maxShown = 2;

/** Returns `current/target` of each metric of an autoscaler (v2 form), at most two of them in full. */
export function hpaTargets(metrics: JsonArray, statuses: JsonArray): string {
  if (metrics.length === 0) {
    return "<none>";
  }
  const texts = metrics.slice(0, maxShown).map((metric, index) => metricText(metric, statuses[index]));
  const shown = texts.join(", ");
  return metrics.length > maxShown ? andMore(shown, metrics.length - maxShown) : shown;
}

function metricText(metric: JsonValue, status: JsonValue | undefined): string {
  switch (textAt(metric, "type")) {
    case "External":
      return valueMetric(objectAt(metric, "external", "target"), valueAt(status, "external"));
    case "Object":
      return valueMetric(objectAt(metric, "object", "target"), valueAt(status, "object"));
    case "Pods":
      return averageMetric(objectAt(metric, "pods", "target"), valueAt(status, "pods"));
    case "Resource":
      return utilizationMetric(objectAt(metric, "resource", "target"), valueAt(status, "resource"));
    case "ContainerResource":
      return utilizationMetric(objectAt(metric, "containerResource", "target"), valueAt(status, "containerResource"));
    default:
      return "<unknown type>";
  }
}

/** Returns the text of an object or external metric: its value, or its average over the pods. */
function valueMetric(target: JsonObject, status: JsonValue | undefined): string {
  if (isSet(target, "averageValue")) {
    const current = scalarText(valueAt(status, "current", "averageValue"), unknown);
    return `${current}/${textAt(target, "averageValue")} (avg)`;
  }
  const current = isSet(status) ? scalarText(valueAt(status, "current", "value"), noQuantity) : unknown;
  return `${current}/${scalarText(valueAt(target, "value"), noQuantity)}`;
}

function averageMetric(target: JsonObject, status: JsonValue | undefined): string {
  const current = isSet(status) ? scalarText(valueAt(status, "current", "averageValue"), noQuantity) : unknown;
  return `${current}/${scalarText(valueAt(target, "averageValue"), noQuantity)}`;
}

/** Returns the text of a resource metric: an average amount, or a share of the pods' requests. */
function utilizationMetric(target: JsonObject, status: JsonValue | undefined): string {
  if (isSet(target, "averageValue")) {
    return averageMetric(target, status);
  }
  return `${percent(valueAt(status, "current", "averageUtilization"), unknown)}/${percent(valueAt(target, "averageUtilization"), "<auto>")}`;
}

function percent(value: JsonValue | undefined, otherwise: string): string {
  return isSet(value) ? `${scalarText(value, "0")}%` : otherwise;
}
