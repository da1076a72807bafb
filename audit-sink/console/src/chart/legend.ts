import type { ChartSplit, Filter } from "../address/view.js";
import { outcomeSign } from "../events/outcome.js";
import { buttonElement, byId, element } from "../page/dom.js";
import { countText } from "../page/numbers.js";
import { replaceChildren } from "../page/replace-children.js";
import { visibleText } from "../page/visible-text.js";
import { type Series, seriesText } from "./series.js";

/** The list of the chart's colours and forms, each with a count and, where there is one, the filter for it. */
export class Legend {
  readonly #onFilter: (filter: Filter) => void;
  #counts: readonly HTMLElement[] = [];

  constructor(onFilter: (filter: Filter) => void) {
    this.#onFilter = onFilter;
  }

  show(series: readonly Series[], split: ChartSplit): void {
    this.#counts = series.map(() => element("b"));
    const entries = series.map((each, place) => this.#entry(each, split, this.#counts[place] as HTMLElement));
    replaceChildren(byId("chart-legend"), entries);
  }

  /** Shows the counts, in the order of the series. */
  count(sums: readonly number[]): void {
    for (const [place, count] of this.#counts.entries()) {
      count.textContent = countText(sums[place] ?? 0);
    }
  }

  #entry({ name, className, filterValue }: Series, split: ChartSplit, count: HTMLElement): HTMLElement {
    const sign = split === "byOutcome" ? outcomeSign(name) : element("span", { class: `swatch ${className}` });
    const { short, words } = seriesText(name, split);
    const word = words === "" ? [] : [element("span", { class: "word" }, words)];
    const content = [sign, visibleText(short), ...word, count];
    if (filterValue === undefined) {
      return element("li", {}, element("span", { class: "legend-entry" }, ...content));
    }
    const field = split === "byOutcome" ? "code" : "verb";
    const title = `Only ${visibleText(`${short} ${words}`.trim())}`;
    const button = buttonElement({ class: "legend-entry", title }, content, () =>
      this.#onFilter({ field, value: filterValue }),
    );
    return element("li", { "data-key": name }, button);
  }
}
