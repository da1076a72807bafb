import { element } from "../page/dom.js";
import { countText } from "../page/numbers.js";
import { visibleText } from "../page/visible-text.js";
import type { FieldChange } from "./object-diff.js";
import type { PatchChange } from "./patch-diff.js";

/** Fields and lines that are shown at most. */
const maxChanges = 100;
const maxLines = 60;

/** Makes a list of changed fields: before, after, and who changed each. */
export function fieldChangeList(
  changes: readonly FieldChange[],
  authorOf: (change: FieldChange) => string,
): HTMLElement {
  const shown = changes.slice(0, maxChanges).map((change) =>
    changeElement({
      place: change.field,
      author: authorOf(change),
      removed: linesOf(change.before),
      added: linesOf(change.after),
    }),
  );
  const rest = changes.length - shown.length;
  const more = rest > 0 ? [element("p", { class: "muted" }, `${countText(rest)} more fields: see the response.`)] : [];
  return element("div", { class: "diff" }, ...shown, ...more);
}

/** Makes a list of the changes of a JSON patch. */
export function patchChangeList(changes: readonly PatchChange[]): HTMLElement {
  const shown = changes
    .slice(0, maxChanges)
    .map(({ path, removed, added }) =>
      changeElement({ place: path || "the whole object", author: "", removed, added }),
    );
  return element("div", { class: "diff" }, ...shown);
}

interface Change {
  readonly place: string;
  readonly author: string;
  /** Items removed by the change; undefined when they are not known. */
  readonly removed: readonly string[] | undefined;
  readonly added: readonly string[];
}

function changeElement({ place, author, removed, added }: Change): HTMLElement {
  const head = element("p", { class: "diff-head" }, element("span", { class: "diff-path" }, visibleText(place)));
  if (author !== "") {
    head.append(element("span", { class: "diff-author" }, `by ${visibleText(author)}`));
  }
  const unknown = element("p", { class: "muted" }, "The value before was not recorded.");
  return element(
    "div",
    { class: "diff-change" },
    head,
    ...diffLines("removed", "−", removed ?? []),
    ...(removed === undefined ? [unknown] : []),
    ...diffLines("added", "+", added),
  );
}

function diffLines(kind: "added" | "removed", mark: string, lines: readonly string[]): readonly HTMLElement[] {
  const shown = lines.slice(0, maxLines).map((line) => {
    const word = element("span", { class: "unseen" }, `${kind}: `);
    return element(
      "p",
      { class: `diff-line ${kind}` },
      element("span", { class: "mark", "aria-hidden": "true" }, mark),
      word,
      line,
    );
  });
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, element("p", { class: "muted" }, `… ${countText(rest)} more lines`)] : shown;
}

function linesOf(value: unknown): readonly string[] {
  return value === undefined ? [] : (JSON.stringify(value, null, 2) ?? "").split("\n");
}
