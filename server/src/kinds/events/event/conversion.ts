import { type Conversion, present, struct, unlessZero } from "@gatehouse/apiserver/conversion";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** The conversion of events of `events.k8s.io/v1`, which are stored in the form of the core group. */
export const eventConversion: Conversion = { toStored: coreEventFromGroup, fromStored: groupEventFromCore };

/** Returns an event of the core group from one of `events.k8s.io/v1`: the same facts under older names. */
function coreEventFromGroup(event: JsonObject): JsonObject {
  return present({
    metadata: event["metadata"],
    involvedObject: struct(event["regarding"]),
    reason: unlessZero(event["reason"]),
    message: unlessZero(event["note"]),
    source: struct(event["deprecatedSource"]),
    firstTimestamp: event["deprecatedFirstTimestamp"] ?? null,
    lastTimestamp: event["deprecatedLastTimestamp"] ?? null,
    count: unlessZero(event["deprecatedCount"]),
    type: unlessZero(event["type"]),
    eventTime: event["eventTime"] ?? null,
    series: coreSeries(event["series"]),
    action: unlessZero(event["action"]),
    related: unlessZero(event["related"]),
    reportingComponent: event["reportingController"] ?? "",
    reportingInstance: event["reportingInstance"] ?? "",
  });
}

/** Returns an event of `events.k8s.io/v1` from one of the core group. */
function groupEventFromCore(event: JsonObject): JsonObject {
  return present({
    metadata: event["metadata"],
    eventTime: event["eventTime"] ?? null,
    series: groupSeries(event["series"]),
    reportingController: unlessZero(event["reportingComponent"]),
    reportingInstance: unlessZero(event["reportingInstance"]),
    action: unlessZero(event["action"]),
    reason: unlessZero(event["reason"]),
    regarding: struct(event["involvedObject"]),
    related: unlessZero(event["related"]),
    note: unlessZero(event["message"]),
    type: unlessZero(event["type"]),
    deprecatedSource: struct(event["source"]),
    deprecatedFirstTimestamp: event["firstTimestamp"] ?? null,
    deprecatedLastTimestamp: event["lastTimestamp"] ?? null,
    deprecatedCount: unlessZero(event["count"]),
  });
}

function coreSeries(series: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(series)
    ? present({ count: unlessZero(series["count"]), lastObservedTime: series["lastObservedTime"] ?? null })
    : undefined;
}

function groupSeries(series: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(series)
    ? { count: series["count"] ?? 0, lastObservedTime: series["lastObservedTime"] ?? null }
    : undefined;
}
