import { goQuote } from "@gatehouse/envelopes/go";
import type { AuditEvent } from "./audit-event.js";
import { microTimeText } from "./micro-clock.js";

/** Returns an event as one line of text, for `--audit-log-format=legacy`. */
export function legacyLine({ init }: AuditEvent): string {
  const { subject, stage, impersonatedUser, objectRef, responseStatus } = init;
  const { user } = subject;
  const hasName = user !== undefined && user.username !== "";
  const groups = hasName && user.groups.length > 0 ? listText(user.groups) : "<none>";
  // As Go prints nanoseconds: without zeros at the end.
  const time = microTimeText(subject.receivedMicros).replace(/\.?0+Z$/, "Z");
  const members: readonly (readonly [key: string, value: string])[] = [
    ["id", subject.auditID],
    ["stage", stage],
    ["ip", subject.sourceIPs[0] ?? "<unknown>"],
    ["method", subject.verb],
    ["user", hasName ? user.username : "<none>"],
    ["groups", groups],
    ["as", impersonatedUser?.username ?? "<self>"],
    ["asgroups", impersonatedUser === undefined ? "<lookup>" : listText(impersonatedUser.groups)],
    ["user-agent", subject.userAgent],
    ["namespace", objectRef === undefined || objectRef.namespace === "" ? "<none>" : objectRef.namespace],
    ["uri", subject.requestURI],
  ];
  const response = responseStatus === undefined ? "<deferred>" : String(responseStatus.code);
  const text = members.map(([key, value]) => `${key}=${goQuote(value)}`).join(" ");
  return `${time} AUDIT: ${text} response="${response}"`;
}

function listText(items: readonly string[]): string {
  return items.map(goQuote).join(",");
}
