import { element } from "./dom.js";
import { countText } from "./format.js";
import type { Ranked } from "./types.js";

/** Shows texts with their counts as bars; `onChoose` is called with the text that is clicked. */
export function showRanking(list: HTMLElement, ranked: readonly Ranked[], onChoose: (value: string) => void): void {
  const most = Math.max(1, ...ranked.map(({ count }) => count));
  list.replaceChildren(
    ...ranked.map(({ value, count }) => {
      const bar = element("span", { class: "bar-share", "aria-hidden": "true" });
      bar.style.setProperty("width", `${(100 * count) / most}%`);
      const name = element("span", { class: "ranked-name" }, value === "" ? "none" : value);
      const button = element(
        "button",
        { type: "button", title: value === "" ? "Events without one" : `Show only ${value}`, disabled: value === "" },
        bar,
        name,
        element("span", { class: "ranked-count" }, countText(count)),
      );
      button.addEventListener("click", () => onChoose(value));
      return element("li", {}, button);
    }),
  );
  if (ranked.length === 0) {
    list.replaceChildren(element("li", { class: "hint" }, "Nothing in this period."));
  }
}
