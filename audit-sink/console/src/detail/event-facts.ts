import { parseTime } from "../events/event-time.js";
import { outcomeOf, outcomeSign, outcomeText } from "../events/outcome.js";
import { textOf } from "../events/target.js";
import { element } from "../page/dom.js";
import { visibleText } from "../page/visible-text.js";
import type { AuditEvent, Item } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";

/** Makes the line that tells how the request ended. */
export function outcomeLine(event: AuditEvent): HTMLElement {
  const { responseStatus } = event;
  const outcome = outcomeOf(event);
  const code = textOf(responseStatus?.code);
  const reason = textOf(responseStatus?.reason);
  const words = [code, reason === "" ? outcomeText(outcome) : reason].filter((part) => part !== "").join(" ");
  const message = textOf(responseStatus?.message);
  return element(
    "p",
    { class: `outcome-line edge-${outcome}` },
    element("strong", { class: `outcome-${outcome}` }, outcomeSign(outcome), visibleText(words)),
    ...(message === "" ? [] : [element("span", {}, visibleText(message))]),
  );
}

/** Makes the list of what else an event says of the request. */
export function factList({ event, sender, position }: Item, times: TimeFormat): HTMLElement {
  const { user, impersonatedUser } = event;
  return definitions([
    ["User", textOf(user?.username)],
    ["Groups", listOf(user?.groups)],
    ["Acting as", textOf(impersonatedUser?.username)],
    ["As groups", listOf(impersonatedUser?.groups)],
    ["Received", timeText(event.requestReceivedTimestamp, times)],
    ["Stage", textOf(event.stage)],
    ["Reached", timeText(event.stageTimestamp, times)],
    ["Level", textOf(event.level)],
    ["URL", textOf(event.requestURI)],
    ["Client", listOf(event.sourceIPs)],
    ["User agent", textOf(event.userAgent)],
    ["Audit ID", textOf(event.auditID)],
    ["Position", `${position}, sent by ${sender}`],
  ]);
}

/** Makes the section of the annotations that are not told elsewhere; undefined when there are none. */
export function annotationSection({ annotations }: AuditEvent): HTMLElement | undefined {
  const rows = Object.entries(annotations ?? {})
    .filter(([name]) => !name.startsWith("patch.webhook.admission.k8s.io/"))
    .map(([name, value]) => [name, textOf(value)] as const);
  return rows.length === 0
    ? undefined
    : element("section", {}, element("h3", {}, "Annotations"), definitions(rows, "stacked"));
}

function definitions(rows: readonly (readonly [string, string])[], className = ""): HTMLElement {
  return element(
    "dl",
    { class: className },
    ...rows
      .filter(([, value]) => value !== "")
      .flatMap(([name, value]) => [element("dt", {}, visibleText(name)), element("dd", {}, visibleText(value))]),
  );
}

function listOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join(", ") : "";
}

function timeText(value: unknown, times: TimeFormat): string {
  const time = parseTime(value);
  return time === undefined ? textOf(value) : `${times.day(time)} ${times.millisecond(time)}`;
}
