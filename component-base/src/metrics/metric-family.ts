import { renderLabels, renderSeries } from "./exposition.js";
import type { HistogramData } from "./histogram.js";
import type { SummaryData } from "./summary.js";

/** One series' value, as the exposition reads it. */
export interface Cell {
  read(): number | HistogramData | SummaryData;
}

/** Untyped form of MetricOptions, which callers outside use; `maxSeries` is 2,000 by default. */
export interface FamilyOptions {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly labelNames?: readonly string[];
  readonly maxSeries?: number;
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** The values of labels that are shown; every other value becomes `unexpected`. All are shown when absent. */
  readonly allowedLabelValues?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** Called when a value becomes `unexpected`. */
  readonly onUnexpectedValue?: () => void;
}

/** All series of one metric. */
export interface Family<C extends Cell> {
  readonly name: string;
  readonly help: string;
  readonly type: FamilyOptions["type"];
  /** True if no series exists: such a metric is not shown. */
  readonly isEmpty: boolean;
  labels(values: Readonly<Record<string, string>>): C;
  /** The text of each series, in the order in which they were made. */
  renderSeries(): Iterable<string>;
}

const defaultMaxSeries = 2000;
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/;

/**
 * Keeps a cell for each label set. Throws TypeError for a name that Prometheus does not allow, and for the labels `le` and `quantile`.
 */
export function createFamily<C extends Cell>(options: FamilyOptions, createCell: () => C): Family<C> {
  const { name, help, type, labelNames = [], maxSeries = defaultMaxSeries } = options;
  const badLabel = labelNames.find((label) => !labelName.test(label) || label === "le" || label === "quantile");
  if (!metricName.test(name) || badLabel !== undefined) {
    throw new TypeError(`metric ${JSON.stringify(name)}: the name or label ${JSON.stringify(badLabel)} cannot be used`);
  }
  const series = new Map<string, { readonly labelText: string; readonly cell: C }>();

  function make(key: string, values: readonly string[]): C {
    const cell = createCell();
    series.set(key, { labelText: renderLabels(labelNames, values), cell });
    return cell;
  }

  const { allowedLabelValues, onUnexpectedValue } = options;
  function allowed(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const shown = { ...values };
    for (const [label, known] of allowedLabelValues ?? []) {
      if (values[label] !== undefined && !known.has(values[label])) {
        shown[label] = "unexpected";
        onUnexpectedValue?.();
      }
    }
    return shown;
  }

  const family: Family<C> = {
    name,
    help,
    type,
    get isEmpty() {
      return series.size === 0;
    },
    labels(asked) {
      const values = allowedLabelValues === undefined ? asked : allowed(asked);
      let key = "";
      for (const label of labelNames) {
        key += `${values[label]}\u0000`;
      }
      const known = series.get(key);
      if (known !== undefined) {
        return known.cell;
      }
      if (series.size >= maxSeries) {
        return (
          series.get(overflowKey)?.cell ??
          make(
            overflowKey,
            labelNames.map(() => "overflow"),
          )
        );
      }
      return make(
        key,
        labelNames.map((label) => values[label] ?? ""),
      );
    },
    *renderSeries() {
      for (const { labelText, cell } of series.values()) {
        yield renderSeries(name, labelText, cell.read());
      }
    },
  };
  if (labelNames.length === 0) {
    // A metric without labels is there from the start, at zero, so that a rate can be computed over its first event.
    family.labels({});
  }
  return family;
}

/** Cannot be the key of a label set, since those end in NUL. */
const overflowKey = "overflow";
