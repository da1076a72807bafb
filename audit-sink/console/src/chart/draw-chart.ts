import { svgElement } from "../page/dom.js";
import { shortCountText } from "../page/numbers.js";
import type { Stats } from "../sink/types.js";
import { ticks } from "../time/ticks.js";
import type { TimeFormat } from "../time/time-format.js";
import type { Series } from "./series.js";

/** Height of the whole chart, in pixels. */
export const chartHeight = 80;
const margin = { left: 2, right: 2, top: 10, bottom: 18 };
const plotHeight = chartHeight - margin.top - margin.bottom;
const pixelsPerTick = 64;
/** A single failure among thousands of events must still be seen. */
const leastBarHeight = 2;

/** Makes the picture of stacked bars over time. */
export function drawChart(stats: Stats, series: readonly Series[], width: number, times: TimeFormat): SVGElement {
  const svg = svgElement("svg", {
    viewBox: `0 0 ${width} ${chartHeight}`,
    width,
    height: chartHeight,
    "aria-hidden": "true",
  });
  const count = series[0]?.counts.length ?? 0;
  const totals = Array.from({ length: count }, (_, bar) =>
    series.reduce((sum, { counts }) => sum + (counts[bar] ?? 0), 0),
  );
  const most = Math.max(0, ...totals);
  const bottom = margin.top + plotHeight;
  svg.append(
    svgElement("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: margin.top, y2: margin.top }),
    svgElement("line", { class: "axis", x1: margin.left, x2: width - margin.right, y1: bottom, y2: bottom }),
    ...tickElements(stats, width, times),
  );
  for (const bar of totals.keys()) {
    svg.append(barElement(series, bar, barPlace(bar, count, width), most));
  }
  if (most > 0) {
    svg.append(svgElement("text", { class: "most", x: margin.left + 2, y: margin.top - 2 }, shortCountText(most)));
  }
  return svg;
}

/** Returns the bar below a place of the chart; undefined beside the bars. */
export function barAt(x: number, count: number, width: number): number | undefined {
  const bar = Math.floor(((x - margin.left) / (width - margin.left - margin.right)) * count);
  return bar >= 0 && bar < count ? bar : undefined;
}

function barPlace(bar: number, count: number, width: number): { readonly x: number; readonly width: number } {
  const each = (width - margin.left - margin.right) / Math.max(1, count);
  const gap = each > 6 ? 1.5 : each > 3 ? 0.75 : 0;
  return { x: margin.left + bar * each + gap / 2, width: Math.max(1, each - gap) };
}

function barElement(
  series: readonly Series[],
  bar: number,
  place: { readonly x: number; readonly width: number },
  most: number,
): SVGElement {
  const group = svgElement("g", { class: "bar", "data-bar": bar });
  group.append(svgElement("rect", { ...place, class: "bar-back", y: margin.top, height: plotHeight }));
  let bottom = margin.top + plotHeight;
  for (const { className, counts } of series) {
    const count = counts[bar] ?? 0;
    if (count > 0) {
      const height = Math.max(leastBarHeight, (plotHeight * count) / most);
      bottom -= height;
      group.append(svgElement("rect", { ...place, class: className, y: bottom, height }));
    }
  }
  return group;
}

function tickElements({ from, to }: Stats, width: number, times: TimeFormat): SVGElement[] {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  return ticks(fromMs, toMs, Math.max(2, Math.floor(width / pixelsPerTick)), times).flatMap(({ ms, label }) => {
    const x = margin.left + ((ms - fromMs) / (toMs - fromMs)) * (width - margin.left - margin.right);
    // A label that would be cut off is left out; its line stays.
    const isWhole = x > 18 && x < width - 18;
    const line = svgElement("line", {
      class: "axis",
      x1: x,
      x2: x,
      y1: margin.top + plotHeight,
      y2: margin.top + plotHeight + 4,
    });
    const text = svgElement("text", { class: "tick", x, y: chartHeight - 3, "text-anchor": "middle" }, label);
    return isWhole ? [line, text] : [line];
  });
}
