import { namespaceOf, resourceOf, targetOf, textOf } from "../events/target.js";
import type { Item } from "../sink/types.js";

/** The columns of an exported table. */
const columns: readonly (readonly [name: string, textIn: (item: Item) => string])[] = [
  ["time", ({ event }) => textOf(event.stageTimestamp)],
  ["user", ({ event }) => textOf(event.user?.username)],
  ["impersonatedUser", ({ event }) => textOf(event.impersonatedUser?.username)],
  ["verb", ({ event }) => textOf(event.verb)],
  ["resource", ({ event }) => resourceOf(event)],
  ["namespace", ({ event }) => namespaceOf(event)],
  ["name", ({ event }) => targetOf(event)?.name ?? ""],
  ["code", ({ event }) => textOf(event.responseStatus?.code)],
  ["reason", ({ event }) => textOf(event.responseStatus?.reason)],
  ["message", ({ event }) => textOf(event.responseStatus?.message)],
  ["sourceIPs", ({ event }) => (Array.isArray(event.sourceIPs) ? event.sourceIPs.map(textOf).join(" ") : "")],
  ["userAgent", ({ event }) => textOf(event.userAgent)],
  ["requestURI", ({ event }) => textOf(event.requestURI)],
  ["stage", ({ event }) => textOf(event.stage)],
  ["auditID", ({ event }) => textOf(event.auditID)],
  ["sender", ({ sender }) => sender],
  ["position", ({ position }) => String(position)],
];

/** The first line of a table in CSV (RFC 4180). */
export const csvHead: string = `${columns.map(([name]) => name).join(",")}\r\n`;

/** Returns one event as a line of CSV. */
export function csvLine(item: Item): string {
  return `${columns.map(([, textIn]) => csvField(textIn(item))).join(",")}\r\n`;
}

/** Beginnings by which spreadsheets take a text for a formula, which could send the table to others. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@|%＝＋－＠])/;

/** Returns a field in quotes. An apostrophe before a formula makes it text in every spreadsheet. */
export function csvField(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
