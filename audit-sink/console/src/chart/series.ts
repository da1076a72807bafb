import type { ChartSplit } from "../address/view.js";
import { byGravity, outcomeText } from "../events/outcome.js";
import type { Stats } from "../sink/types.js";

/** One colour of the chart: a name, and a count for each bar. */
export interface Series {
  readonly name: string;
  readonly className: string;
  readonly counts: readonly number[];
  /** Value of the filter that leaves nothing but this series; undefined when there is none. */
  readonly filterValue: string | undefined;
}

/** Verbs in the order of their colours; others share the last one. */
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
/** Name under which the sink counts verbs that are too many. */
const otherVerbs = "other";

/** Returns the series of an answer, those at the bottom of the bars first. */
export function seriesOf(stats: Stats, split: ChartSplit): readonly Series[] {
  if (split === "byOutcome") {
    return byGravity(Object.keys(stats.byOutcome)).map((name) => ({
      name,
      className: `fill-${name}`,
      counts: stats.byOutcome[name] ?? [],
      filterValue: name === "none" ? "" : `${name[0]}*`,
    }));
  }
  return Object.entries(stats.byVerb).map(([name, counts]) => {
    const place = verbs.indexOf(name);
    return {
      name: name === "" ? "none" : name,
      className: `fill-verb-${place < 0 ? verbs.length : place}`,
      counts,
      filterValue: name === otherVerbs ? undefined : name,
    };
  });
}

/** Returns the name of a series: a short text, and the words that explain it, if any. */
export function seriesText(name: string, split: ChartSplit): { readonly short: string; readonly words: string } {
  const words = split === "byOutcome" ? outcomeText(name) : name;
  return words === name || name === "none" ? { short: words, words: "" } : { short: name, words };
}
