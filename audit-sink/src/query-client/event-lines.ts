import type { KeptItem } from "@gatehouse/component-base/sink-client";
import { factsOf } from "../index-store/event-fields.js";
import { printable, textTable } from "./text-table.js";

/** Names of the formats in which events are printed. */
export const eventFormats = ["table", "json", "events"] as const;

/** `table` for people; `json` with position and sender, and `events` as they were sent, one a line. */
export type EventFormat = (typeof eventFormats)[number];

const heads = ["TIME", "USER", "VERB", "RESOURCE", "OBJECT", "CODE", "SENDER"];
/** Widths of a table whose rows come one by one. */
const streamWidths = [24, 24, 8, 24, 32, 4];

/** The cells of one event. */
function cellsOf({ event, sender }: KeptItem): string[] {
  const { values, timeUs } = factsOf(event, { sender, receivedMs: 0 });
  const path = values.resource === "" ? (String(event.requestURI).split("?")[0] ?? "") : values.resource;
  const user = values.impersonatedUser === "" ? values.user : `${values.user} as ${values.impersonatedUser}`;
  const time = new Date(timeUs / 1000).toISOString();
  return [time, user, values.verb, path, objectText(values), values.code === "" ? "-" : values.code, sender];
}

/** Namespace and name, as far as there are any. What is in a namespace as a whole ends with a slash. */
function objectText({ resource, namespace, name }: ReturnType<typeof factsOf>["values"]): string {
  return namespace === "" || resource === "namespaces" ? name : `${namespace}/${name}`;
}

/** All events in one table, or a line for each. */
export function eventLines(items: readonly KeptItem[], format: EventFormat): string[] {
  return format === "table" ? textTable(heads, items.map(cellsOf)) : items.map((item) => eventLine(item, format));
}

/** The head of a table that grows. */
export function streamHead(): string {
  return streamRow(heads);
}

/** One event that has just come. */
export function eventLine(item: KeptItem, format: EventFormat): string {
  switch (format) {
    case "table":
      return streamRow(cellsOf(item));
    case "json":
      return JSON.stringify(item);
    case "events":
      return JSON.stringify(item.event);
  }
}

function streamRow(cells: readonly string[]): string {
  return cells
    .map((cell, column) => printable(cell).padEnd(streamWidths[column] ?? 0))
    .join("  ")
    .trimEnd();
}
