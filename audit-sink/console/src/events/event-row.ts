import { type Attributes, element } from "../page/dom.js";
import { visibleText } from "../page/visible-text.js";
import type { AuditEvent, Item } from "../sink/types.js";
import type { TimeFormat } from "../time/time-format.js";
import { timeOf } from "./event-time.js";
import { nameElement, shortUser } from "./names.js";
import { outcomeOf, outcomeSign, outcomeText } from "./outcome.js";
import { namespaceOf, resourceOf, targetOf, textOf } from "./target.js";

/** Makes the row of an event. Links in it carry `data-field` and `data-value`. */
export function eventRow({ event, sender }: Item, times: TimeFormat, className = ""): HTMLElement {
  const resource = resourceOf(event);
  return element(
    "tr",
    { class: className, tabindex: "-1", "aria-selected": "false" },
    outcomeCell(event),
    timeCell(event, times),
    cell("verb", textOf(event.verb)),
    cell("resource", nameElement(resource, { title: resource })),
    objectCell(event),
    userCell(event),
    cell("sender", nameElement(sender, { title: sender })),
  );
}

function cell(name: string, content: Node | string, attributes: Attributes = {}): HTMLElement {
  return element("td", { class: `cell-${name}`, ...attributes }, content);
}

function outcomeCell(event: AuditEvent): HTMLElement {
  const outcome = outcomeOf(event);
  const code = textOf(event.responseStatus?.code);
  const text = element("span", { class: `code outcome-${outcome}` }, outcomeSign(outcome), visibleText(code) || "–");
  return cell("outcome", text, { title: outcomeText(outcome) });
}

function timeCell(event: AuditEvent, times: TimeFormat): HTMLElement {
  const time = timeOf(event);
  if (time === undefined) {
    return cell("time", "");
  }
  const isToday = times.isSameDay(time, new Date());
  const text = isToday ? times.millisecond(time) : `${times.day(time)} ${times.second(time)}`;
  return cell("time", text, { title: `${times.dateAndTime(time)} ${times.zoneName}` });
}

function objectCell(event: AuditEvent): HTMLElement {
  const namespace = namespaceOf(event);
  const { name = "" } = targetOf(event) ?? {};
  const parts: Node[] = [];
  if (namespace !== "") {
    parts.push(filterLink("namespace", namespace, namespace), element("span", { class: "slash" }, "/"));
  }
  if (name !== "") {
    parts.push(nameElement(name, { title: name }));
  }
  return cell("object", element("span", { class: "object" }, ...parts));
}

function userCell(event: AuditEvent): HTMLElement {
  const user = textOf(event.user?.username);
  const actsAs = textOf(event.impersonatedUser?.username);
  const parts: (Node | string)[] = user === "" ? [] : [filterLink("user", user, shortUser(user))];
  if (actsAs !== "") {
    parts.push(element("span", { class: "muted" }, " as "), nameElement(shortUser(actsAs), { title: actsAs }));
  }
  return cell("user", element("span", { class: "object" }, ...parts));
}

function filterLink(field: string, value: string, text: string): HTMLElement {
  return element(
    "button",
    {
      type: "button",
      class: "link",
      tabindex: "-1",
      "data-field": field,
      "data-value": value,
      title: `Only ${field} ${visibleText(value)}`,
    },
    nameElement(text),
  );
}
