import {
  ageOf,
  column,
  nameColumn,
  parseTime,
  type TableContext,
  type TableDefinition,
  wideColumn,
} from "@gatehouse/apiserver/tables";
import { toLower, trimSpace } from "@gatehouse/envelopes/go";
import { integerAt, isSet, type JsonObject, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";

const columns = [
  column("Last Seen", "string", "Time since the event was last seen."),
  column("Type", "string", "Normal or Warning."),
  column("Reason", "string", "Short machine-readable cause."),
  column("Object", "string", "What the event is about."),
  wideColumn("Subobject", "string", "The part of the object that the event is about."),
  wideColumn("Source", "string", "Who reported the event."),
  column("Message", "string", "What happened, for people."),
  wideColumn("First Seen", "string", "Time since the event was first seen."),
  wideColumn("Count", "string", "How often the event was seen."),
  { ...nameColumn, priority: 1 },
];

/** Table columns of Event, for both APIs: they read the form of the core group, which is stored. */
export const eventColumns: TableDefinition = {
  columns,
  cells(object, context) {
    const firstSeen = ageOfFirst(context, valueAt(object, "firstTimestamp"), valueAt(object, "eventTime"));
    return [
      lastSeen(object, context) ?? firstSeen,
      textAt(object, "type"),
      textAt(object, "reason"),
      target(object),
      textAt(object, "involvedObject", "fieldPath"),
      source(object),
      trimSpace(textAt(object, "message")),
      firstSeen,
      count(object),
      textAt(object, "metadata", "name"),
    ];
  },
};

/** Returns the age of the first time that is set. */
function ageOfFirst(context: TableContext, ...times: (JsonValue | undefined)[]): string {
  return ageOf(
    times.find((time) => parseTime(time) !== undefined),
    context,
  );
}

function lastSeen(object: JsonObject, context: TableContext): string | undefined {
  if (isSet(object, "series")) {
    return ageOf(valueAt(object, "series", "lastObservedTime"), context);
  }
  const last = valueAt(object, "lastTimestamp");
  return parseTime(last) === undefined ? undefined : ageOf(last, context);
}

function target(object: JsonObject): string {
  const kind = toLower(textAt(object, "involvedObject", "kind"));
  const name = textAt(object, "involvedObject", "name");
  return name === "" ? kind : `${kind}/${name}`;
}

function source(object: JsonObject): string {
  const component = textAt(object, "source", "component") || textAt(object, "reportingComponent");
  const instance = textAt(object, "source", "host") || textAt(object, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}

/** Returns the number of occurrences; events of the newer API that occurred once have none, and count as 1. */
function count(object: JsonObject): number | bigint {
  return isSet(object, "series") ? integerAt(object, "series", "count") : integerAt(object, "count") || 1;
}
