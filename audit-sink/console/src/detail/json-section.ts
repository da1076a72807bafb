import { clipboardButton } from "../page/clipboard-button.js";
import { buttonElement, element } from "../page/dom.js";
import { countText } from "../page/numbers.js";

/** Lines that are shown at first. */
const firstLines = 24;
/** Characters that are shown at most; browsers lay out longer texts slowly. */
const maxShown = 200_000;

/** Makes a section with a value as JSON. A long value is folded to its first lines. */
export function jsonSection(title: string, value: unknown, isOpen = true): HTMLElement {
  const text = JSON.stringify(value, null, 2) ?? "";
  const lines = text.split("\n");
  const pre = element("pre", { tabindex: "0", "aria-label": title });
  const body: HTMLElement[] = [pre];
  if (lines.length > firstLines + 4) {
    pre.textContent = `${lines.slice(0, firstLines).join("\n")}\n…`;
    const more = buttonElement({ class: "quiet" }, [`Show all ${countText(lines.length)} lines`], () => {
      pre.textContent = bounded(text);
      more.remove();
      pre.focus();
    });
    body.push(more);
  } else {
    pre.textContent = bounded(text);
  }
  const summary = element("summary", {}, title);
  const copy = clipboardButton("Copy", () => text, "quiet copy");
  return element("details", { open: isOpen, class: "json" }, summary, copy, ...body);
}

function bounded(text: string): string {
  const rest = text.length - maxShown;
  return rest > 0 ? `${text.slice(0, maxShown)}\n… ${countText(rest)} more characters: copy them` : text;
}
