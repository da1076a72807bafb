import { element, svgElement } from "./dom.js";
import type { Period } from "./filters.js";
import { countText, dayText, eventsText, shortCountText, timeOfDay } from "./format.js";
import type { Stats } from "./types.js";

/** By what the bars are split. */
export type ChartSplit = "byOutcome" | "byVerb";

/** The elements of the page that the chart fills. */
export interface ChartParts {
  readonly plot: HTMLElement;
  readonly text: HTMLElement;
  readonly legend: HTMLElement;
  /** Called with the period of a bar that was chosen. */
  readonly onChoose: (period: Period) => void;
}

const height = 160;
const margin = { left: 44, right: 4, top: 8, bottom: 22 };
/** Verbs in the order of their colours; others share the last one. */
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

/** Bars over time, stacked. Usable with the arrow keys: each bar is told in words below the chart. */
export class Chart {
  readonly #parts: ChartParts;
  #stats: Stats | undefined;
  #split: ChartSplit = "byOutcome";
  #selected: number | undefined;

  constructor(parts: ChartParts) {
    this.#parts = parts;
    const { plot } = parts;
    new ResizeObserver(() => this.#draw()).observe(plot);
    plot.addEventListener("pointermove", (event) => this.#select(this.#bucketAt(event.offsetX)));
    plot.addEventListener("pointerleave", () => this.#select(undefined));
    plot.addEventListener("click", () => this.#choose());
    plot.addEventListener("keydown", (event) => this.#onKey(event));
    plot.addEventListener("blur", () => this.#select(undefined));
  }

  show(stats: Stats, split: ChartSplit): void {
    this.#stats = stats;
    this.#split = split;
    this.#selected = undefined;
    this.#draw();
  }

  get #series(): readonly (readonly [string, readonly number[]])[] {
    return Object.entries(this.#stats?.[this.#split] ?? {});
  }

  get #bucketCount(): number {
    return this.#series[0]?.[1].length ?? 0;
  }

  #draw(): void {
    const { plot, legend } = this.#parts;
    const stats = this.#stats;
    const width = plot.clientWidth;
    if (stats === undefined || width === 0) {
      return;
    }
    const totals = Array.from({ length: this.#bucketCount }, (_, bucket) =>
      this.#series.reduce((sum, [, counts]) => sum + (counts[bucket] ?? 0), 0),
    );
    const top = niceTop(Math.max(1, ...totals));
    const plotHeight = height - margin.top - margin.bottom;
    const y = (value: number): number => margin.top + plotHeight * (1 - value / top);
    const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" });
    for (const value of top === 1 ? [0, 1] : [0, top / 2, top]) {
      svg.append(
        svgElement("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value) }),
        svgElement("text", { x: margin.left - 6, y: y(value) + 4, "text-anchor": "end" }, shortCountText(value)),
      );
    }
    const barWidth = (width - margin.left - margin.right) / Math.max(1, this.#bucketCount);
    for (const [bucket] of totals.entries()) {
      const bar = svgElement("g", { class: bucket === this.#selected ? "bar selected" : "bar", "data-bucket": bucket });
      let below = 0;
      for (const [name, counts] of this.#series) {
        const count = counts[bucket] ?? 0;
        if (count > 0) {
          bar.append(
            svgElement("rect", {
              class: `fill-${this.#colourOf(name)}`,
              x: margin.left + bucket * barWidth + Math.min(1, barWidth / 8),
              width: Math.max(1, barWidth - Math.min(2, barWidth / 4)),
              y: y(below + count),
              height: Math.max(0.5, y(below) - y(below + count)),
            }),
          );
          below += count;
        }
      }
      svg.append(bar);
    }
    svg.append(...timeLabels(stats, width));
    plot.replaceChildren(svg);
    legend.replaceChildren(
      ...this.#series.map(([name, counts]) => {
        const sum = counts.reduce((total, count) => total + count, 0);
        const swatch = element("span", { class: `swatch fill-${this.#colourOf(name)}` });
        return element("li", {}, swatch, `${nameText(name)} ${countText(sum)}`);
      }),
    );
    this.#tell();
  }

  #colourOf(name: string): string {
    if (this.#split === "byOutcome") {
      return name;
    }
    const place = verbs.indexOf(name);
    return `verb-${place < 0 ? verbs.length : place}`;
  }

  #bucketAt(x: number): number | undefined {
    const width = this.#parts.plot.clientWidth - margin.left - margin.right;
    const bucket = Math.floor(((x - margin.left) / width) * this.#bucketCount);
    return bucket >= 0 && bucket < this.#bucketCount ? bucket : undefined;
  }

  #select(bucket: number | undefined): void {
    if (bucket === this.#selected) {
      return;
    }
    this.#selected = bucket;
    for (const bar of this.#parts.plot.querySelectorAll<SVGGElement>(".bar")) {
      bar.classList.toggle("selected", Number(bar.dataset["bucket"]) === bucket);
    }
    this.#tell();
  }

  #periodOf(bucket: number): Period {
    const { from = "", bucketSeconds = 0 } = this.#stats ?? {};
    const start = Date.parse(from) + bucket * bucketSeconds * 1000;
    return { from: new Date(start), to: new Date(start + bucketSeconds * 1000) };
  }

  /** Says in words what the selected bar shows, or the whole chart. */
  #tell(): void {
    const stats = this.#stats;
    const { plot, text } = this.#parts;
    if (stats === undefined) {
      return;
    }
    plot.setAttribute("aria-valuemax", String(Math.max(0, this.#bucketCount - 1)));
    if (this.#selected === undefined) {
      const missing = stats.complete ? "" : `, counted from ${timeOfDay(new Date(stats.countedFrom))} only`;
      const help = "Arrow keys or the pointer select a bar, Enter or a click narrows the time to it.";
      text.textContent = `${eventsText(stats.total)}${missing}. ${stats.total === 0 ? "" : help}`;
      return;
    }
    const selected = this.#selected;
    plot.setAttribute("aria-valuenow", String(selected));
    const { from, to } = this.#periodOf(selected);
    const counts = this.#series
      .map(([name, values]) => [name, values[selected] ?? 0] as const)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${nameText(name)} ${countText(count)}`);
    const what = counts.length === 0 ? "no events" : counts.join(", ");
    text.textContent = `${timeOfDay(from)} – ${timeOfDay(to)}: ${what}`;
    plot.setAttribute("aria-valuetext", text.textContent);
  }

  #choose(): void {
    if (this.#selected !== undefined) {
      this.#parts.onChoose(this.#periodOf(this.#selected));
    }
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#bucketCount - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: this.#selected === undefined ? 0 : Math.min(last, this.#selected + 1),
      ArrowLeft: this.#selected === undefined ? last : Math.max(0, this.#selected - 1),
      Home: 0,
      End: last,
    };
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (to !== undefined && last >= 0) {
      event.preventDefault();
      this.#select(to);
    } else if (event.key === "Enter") {
      this.#choose();
    }
  }
}

function nameText(name: string): string {
  return name === "none" ? "no answer yet" : name;
}

/** The next of 1, 2, 4, 10, 20, 40, ...: their halves are whole. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 10].map((factor) => factor * power).find((top) => top >= value) ?? value;
}

function timeLabels({ from, to }: Stats, width: number): SVGElement[] {
  const start = Date.parse(from);
  const span = Date.parse(to) - start;
  const count = Math.max(2, Math.min(7, Math.floor(width / 130)));
  return Array.from({ length: count }, (_, place) => {
    const share = place / (count - 1);
    const time = new Date(start + share * span);
    const anchor = place === 0 ? "start" : place === count - 1 ? "end" : "middle";
    const x = margin.left + share * (width - margin.left - margin.right);
    const text = span > 2 * 86_400_000 ? dayText(time) : timeOfDay(time);
    return svgElement("text", { x, y: height - 5, "text-anchor": anchor }, text);
  });
}
