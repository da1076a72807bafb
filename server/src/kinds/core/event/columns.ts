import type { JsonObject, JsonValue } from "@gatehouse/envelopes";
import { integerAt, isSet, textAt, valueAt } from "../../../objects/json-fields.js";
import { ageOf, parseTime } from "../../../tables/duration.js";
import {
  column,
  nameColumn,
  type TableContext,
  type TableDefinition,
  wideColumn,
} from "../../../tables/table-definition.js";

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

/** Where the two API groups of events keep the same facts. */
interface EventFields {
  readonly target: string;
  readonly message: string;
  readonly source: string;
  readonly reporter: string;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
  readonly count: string;
}

const coreFields: EventFields = {
  target: "involvedObject",
  message: "message",
  source: "source",
  reporter: "reportingComponent",
  firstTimestamp: "firstTimestamp",
  lastTimestamp: "lastTimestamp",
  count: "count",
};

const groupFields: EventFields = {
  target: "regarding",
  message: "note",
  source: "deprecatedSource",
  reporter: "reportingController",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
};

function eventTable(fields: EventFields): TableDefinition {
  return {
    columns,
    cells(object, context) {
      const firstSeen = ageOfFirst(context, valueAt(object, fields.firstTimestamp), valueAt(object, "eventTime"));
      return [
        lastSeen(object, fields, context) ?? firstSeen,
        textAt(object, "type"),
        textAt(object, "reason"),
        target(object, fields),
        textAt(object, fields.target, "fieldPath"),
        source(object, fields),
        textAt(object, fields.message).trim(),
        firstSeen,
        count(object, fields),
        textAt(object, "metadata", "name"),
      ];
    },
  };
}

/** The age of the first of the times that is there. */
function ageOfFirst(context: TableContext, ...times: (JsonValue | undefined)[]): string {
  return ageOf(
    times.find((time) => parseTime(time) !== undefined),
    context,
  );
}

function lastSeen(object: JsonObject, fields: EventFields, context: TableContext): string | undefined {
  if (isSet(object, "series")) {
    return ageOf(valueAt(object, "series", "lastObservedTime"), context);
  }
  const last = valueAt(object, fields.lastTimestamp);
  return parseTime(last) === undefined ? undefined : ageOf(last, context);
}

function target(object: JsonObject, fields: EventFields): string {
  const kind = textAt(object, fields.target, "kind").toLowerCase();
  const name = textAt(object, fields.target, "name");
  return name === "" ? kind : `${kind}/${name}`;
}

function source(object: JsonObject, fields: EventFields): string {
  const component = textAt(object, fields.source, "component") || textAt(object, fields.reporter);
  const instance = textAt(object, fields.source, "host") || textAt(object, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}

/** Events of the newer API that were seen once have no count at all. */
function count(object: JsonObject, fields: EventFields): number | bigint {
  return isSet(object, "series") ? integerAt(object, "series", "count") : integerAt(object, fields.count) || 1;
}

/** Events in the form of the core group. */
export const coreEventTable: TableDefinition = eventTable(coreFields);

/** The same events, in the form of `events.k8s.io/v1`. */
export const groupEventTable: TableDefinition = eventTable(groupFields);
