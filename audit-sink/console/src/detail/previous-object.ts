import { parseTime } from "../events/event-time.js";
import { resourceText, targetOf, textOf } from "../events/target.js";
import type { Api } from "../sink/api.js";
import type { AuditEvent, Item } from "../sink/types.js";
import { isRecord, memberOf } from "./json-path.js";

/** An object as an earlier event has it. */
export interface PreviousObject {
  readonly object: Readonly<Record<string, unknown>>;
  readonly time: Date;
  /** True if the object was written since by requests whose events do not have it. */
  readonly hasUnknownWrites: boolean;
}

/** Events that are looked at: those of an object at level Metadata have no object. */
const limit = "20";

/** Returns whether the events of an object before this one can tell what it changed. */
export function isWriteOfObject(event: AuditEvent): boolean {
  const target = targetOf(event);
  const isWhole = target?.subresource === "" || target?.subresource === "status";
  return (
    isWhole && ["update", "patch"].includes(textOf(event.verb)) && isRecord(event.responseObject) && succeeded(event)
  );
}

/** Asks for the object as the last event before recorded it; undefined when none did. */
export async function findPrevious(
  api: Pick<Api, "events">,
  item: Item,
  signal: AbortSignal,
): Promise<PreviousObject | undefined> {
  const { event } = item;
  const target = targetOf(event);
  const time = parseTime(event.stageTimestamp);
  if (target === undefined || time === undefined) {
    return undefined;
  }
  const resource = resourceText({ ...target, subresource: "" });
  const query = new URLSearchParams({ limit, name: target.name, stage: "ResponseComplete", code: "2*" });
  query.set("namespace", target.namespace);
  // The period ends before its last millisecond, and events are told apart more finely.
  query.set("to", new Date(time.getTime() + 1).toISOString());
  for (const [name, value] of [
    ["resource", resource],
    // Others write the object as well, but answer with something else, as scale does.
    ["resource", `${resource}/*`],
    ...["create", "update", "patch"].map((verb) => ["verb", verb] as const),
  ] as const) {
    query.append(name, value);
  }
  const { items } = await api.events(query, signal);
  const earlier = items.filter((each) => isBefore(each, item) && !isDryRun(each.event));
  const place = earlier.findIndex((each) => isSameKind(each.event, event));
  const found = earlier[place];
  return found === undefined
    ? undefined
    : {
        object: found.event.responseObject as Readonly<Record<string, unknown>>,
        time: parseTime(found.event.stageTimestamp) ?? time,
        hasUnknownWrites: place > 0,
      };
}

/** Returns whether a request was only tried, so that nothing was stored. */
export function isDryRun({ requestURI }: AuditEvent): boolean {
  return new URLSearchParams(textOf(requestURI).split("?")[1] ?? "").has("dryRun");
}

function succeeded({ responseStatus }: AuditEvent): boolean {
  return textOf(responseStatus?.code).startsWith("2");
}

function isBefore(a: Item, b: Item): boolean {
  const [first, second] = [textOf(a.event.stageTimestamp), textOf(b.event.stageTimestamp)];
  return first === second ? a.position < b.position : first < second;
}

function isSameKind(a: AuditEvent, b: AuditEvent): boolean {
  return isRecord(a.responseObject) && memberOf(a.responseObject, "kind") === memberOf(b.responseObject, "kind");
}
