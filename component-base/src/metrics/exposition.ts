import type { HistogramData } from "./histogram.js";
import type { SummaryData } from "./summary.js";

/** The HELP and TYPE lines of a metric in Prometheus text format 0.0.4. */
export function renderFamilyHeader(family: {
  readonly name: string;
  readonly help: string;
  readonly type: string;
}): string {
  const help = family.help.replace(/[\\\n]/g, (character) => (character === "\n" ? "\\n" : "\\\\"));
  return `# HELP ${family.name} ${help}\n# TYPE ${family.name} ${family.type}\n`;
}

/** Label pairs without braces, escaped; empty when there are none. */
export function renderLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabelValue(values[index] ?? "")}"`).join(",");
}

/** The lines of one series: one for a number; a line for each bucket or quantile and two more for the others. */
export function renderSeries(name: string, labelText: string, value: number | HistogramData | SummaryData): string {
  const braced = labelText === "" ? "" : `{${labelText}}`;
  if (typeof value === "number") {
    return `${name}${braced} ${renderNumber(value)}\n`;
  }
  const labelStart = `{${labelText}${labelText === "" ? "" : ","}`;
  if ("quantiles" in value) {
    const lines = value.quantiles.map(
      ([quantile, seen]) => `${name}${labelStart}quantile="${quantile}"} ${renderNumber(seen)}\n`,
    );
    return `${lines.join("")}${name}_sum${braced} ${renderNumber(value.sum)}\n${name}_count${braced} ${value.count}\n`;
  }
  const texts = boundTexts(value.bounds);
  const bucketStart = `${name}_bucket${labelStart}le="`;
  let text = "";
  let cumulative = 0;
  for (let index = 0; index < value.counts.length; index++) {
    cumulative += value.counts[index] ?? 0;
    text += `${bucketStart}${texts[index] ?? "+Inf"}"} ${cumulative}\n`;
  }
  return `${text}${name}_sum${braced} ${renderNumber(value.sum)}\n${name}_count${braced} ${cumulative}\n`;
}

const textsOfBounds = new WeakMap<Float64Array, readonly string[]>();

/** Returns the bounds of buckets as texts. All series of a metric share theirs, which are made once. */
function boundTexts(bounds: Float64Array): readonly string[] {
  let texts = textsOfBounds.get(bounds);
  if (texts === undefined) {
    texts = Array.from(bounds, goNumber);
    textsOfBounds.set(bounds, texts);
  }
  return texts;
}

/**
 * Returns a number as Go's clients of Prometheus write it: `1e+06`. A bound is the value of a label, so that its text
 * counts.
 */
export function goNumber(value: number): string {
  const [mantissa = "", exponentText = ""] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) {
    return String(value);
  }
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function renderNumber(value: number): string {
  if (Number.isFinite(value)) {
    return String(value);
  }
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

function escapeLabelValue(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === "\n" ? "\\n" : `\\${character}`));
}
