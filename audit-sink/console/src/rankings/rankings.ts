import { nameElement, shortUser } from "../events/names.js";
import { buttonElement, byId, element } from "../page/dom.js";
import { countText, shortCountText } from "../page/numbers.js";
import { readPreference, writePreference } from "../page/preferences.js";
import { replaceChildren } from "../page/replace-children.js";
import { visibleText } from "../page/visible-text.js";
import type { Ranked, Stats } from "../sink/types.js";

const lists = { user: "top-users", resource: "top-resources", namespace: "top-namespaces" } as const;

/** The fields that are ranked beside the events. */
export const rankedFields: readonly string[] = Object.keys(lists);

/** Shows who and what the events are about most; `onChoose` is called with a field and the value that was chosen. */
export function showRankings({ top }: Stats, onChoose: (field: string, value: string) => void): void {
  for (const [field, id] of Object.entries(lists)) {
    const ranked = (top[field] ?? []).filter(({ value }) => value !== "");
    const most = Math.max(1, ...ranked.map(({ count }) => count));
    const entries = ranked.map((each) => rankedEntry(field, each, most, () => onChoose(field, each.value)));
    const none = element("li", { class: "muted none" }, "None");
    replaceChildren(byId(id), entries.length === 0 ? [none] : entries);
  }
}

function rankedEntry(field: string, { value, count }: Ranked, most: number, onClick: () => void): HTMLElement {
  const share = element("span", { class: "share", "aria-hidden": "true" });
  share.style.setProperty("width", `${(100 * count) / most}%`);
  const title = `Only ${field} ${visibleText(value)}: ${countText(count)} events`;
  const name = nameElement(field === "user" ? shortUser(value) : value);
  const number = element("span", { class: "ranked-count" }, shortCountText(count));
  return element("li", { "data-key": value }, buttonElement({ title }, [share, name, number], onClick));
}

/** Lets a button fold the column of rankings away, and remembers that. Narrow screens begin without it. */
export function installFolding(): void {
  const button = byId("fold-lists");
  const column = byId("lists");
  function set(isOpen: boolean): void {
    column.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  }
  const remembered = readPreference("lists");
  set(typeof remembered === "boolean" ? remembered : matchMedia("(min-width: 64rem)").matches);
  button.addEventListener("click", () => {
    set(column.hidden !== false);
    writePreference("lists", !column.hidden);
  });
}
