import { element } from "./dom.js";
import { outcomeOf } from "./format.js";
import { type PatchChange, webhookPatches } from "./patch-diff.js";
import { objectOf, resourceOf, textOf } from "./target.js";
import type { AuditEvent, Item } from "./types.js";

/** Characters of JSON that are shown at once; browsers lay out longer texts slowly. */
const maxShown = 200_000;

/** One event in full. */
export function detailOf({ event, sender, position }: Item): readonly HTMLElement[] {
  const annotations = Object.entries(event.annotations ?? {});
  const patches = webhookPatches(event.annotations ?? {}, event.requestObject);
  return [
    facts(event, sender, position),
    ...patches.map(({ round, configuration, webhook, changes }) =>
      section(
        `Changed by ${webhook}`,
        element("p", { class: "hint" }, `${configuration}, ${round.replaceAll("_", " ")}`),
        changesElement(changes),
      ),
    ),
    ...(event.requestObject === undefined ? [] : [jsonSection("Request", event.requestObject)]),
    ...(event.responseObject === undefined ? [] : [jsonSection("Response", event.responseObject)]),
    ...(annotations.length === 0
      ? []
      : [section("Annotations", definitions(annotations.map(([name, value]) => [name, textOf(value)])))]),
    jsonSection("The whole event", event, false),
  ];
}

/** A line that says what the event is. */
export function titleOf(event: AuditEvent): string {
  return [textOf(event.verb), resourceOf(event), objectOf(event)].filter((part) => part !== "").join(" ");
}

function facts(event: AuditEvent, sender: string, position: number): HTMLElement {
  const { user, impersonatedUser, responseStatus } = event;
  const groups = Array.isArray(user?.groups) ? user.groups.map(textOf).join(", ") : "";
  const code = textOf(responseStatus?.code);
  const status = [code, textOf(responseStatus?.reason), textOf(responseStatus?.message)];
  const rows: readonly (readonly [string, string])[] = [
    ["User", textOf(user?.username)],
    ["Groups", groups],
    ["Acting as", textOf(impersonatedUser?.username)],
    ["Outcome", status.filter((part) => part !== "").join(" ")],
    ["Received", textOf(event.requestReceivedTimestamp)],
    [textOf(event.stage) || "Stage", textOf(event.stageTimestamp)],
    ["Level", textOf(event.level)],
    ["URL", textOf(event.requestURI)],
    ["From", Array.isArray(event.sourceIPs) ? event.sourceIPs.map(textOf).join(", ") : ""],
    ["User agent", textOf(event.userAgent)],
    ["Audit ID", textOf(event.auditID)],
    ["Kept as", `${position}, sent by ${sender}`],
  ];
  const list = definitions(rows.filter(([, value]) => value !== ""));
  list.classList.add(`outcome-edge-${outcomeOf(event)}`);
  return list;
}

function definitions(rows: readonly (readonly [string, string])[]): HTMLElement {
  return element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function section(title: string, ...children: readonly HTMLElement[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), ...children);
}

function jsonSection(title: string, value: unknown, isOpen = true): HTMLElement {
  const text = JSON.stringify(value, null, 2);
  const shown =
    text.length > maxShown ? `${text.slice(0, maxShown)}\n… ${text.length - maxShown} more characters` : text;
  const copy = element("button", { type: "button", class: "copy" }, "Copy");
  copy.addEventListener("click", () => {
    navigator.clipboard.writeText(text).then(
      () => {
        copy.textContent = "Copied";
      },
      () => {
        copy.textContent = "Cannot copy";
      },
    );
  });
  const summary = element("summary", {}, title);
  return element("details", { open: isOpen }, summary, copy, element("pre", { tabindex: "0" }, shown));
}

function changesElement(changes: readonly PatchChange[]): HTMLElement {
  return element(
    "div",
    { class: "diff" },
    ...changes.map(({ path, removed, added }) =>
      element(
        "div",
        {},
        element("p", { class: "diff-path" }, path === "" ? "the whole object" : path),
        ...(removed ?? []).map((line) => diffLine("removed", "−", line)),
        ...(removed === undefined ? [element("p", { class: "hint" }, "What was there before was not recorded.")] : []),
        ...added.map((line) => diffLine("added", "+", line)),
      ),
    ),
  );
}

function diffLine(kind: "added" | "removed", sign: string, line: string): HTMLElement {
  const word = element("span", { class: "sign", "aria-label": kind }, sign);
  return element("p", { class: `diff-line ${kind}` }, word, line);
}
