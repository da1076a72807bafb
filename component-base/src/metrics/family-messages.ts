import type { LabelPair, Sample, SampledFamily } from "./scraped-families.js";

/** A field of a message: its number, name and value. */
export interface MessageField {
  readonly number: number;
  readonly name: string;
  readonly value: FieldValue;
}

/** The value of a field, by its type. */
export type FieldValue =
  | { readonly string: string }
  | { readonly double: number }
  | { readonly uint64: number }
  | { readonly enum: number; readonly text: string }
  | { readonly message: Message };

/** A message of protobuf: its fields, in ascending order of their numbers. */
export type Message = readonly MessageField[];

const types: ReadonlyMap<string, number> = new Map([
  ["counter", 0],
  ["gauge", 1],
  ["summary", 2],
  ["untyped", 3],
  ["histogram", 4],
]);

/** The field of a Metric that holds the one number of a type. */
const numberFields: ReadonlyMap<string, number> = new Map([
  ["gauge", 2],
  ["counter", 3],
  ["untyped", 5],
]);

/**
 * Returns a metric as io.prometheus.client.MetricFamily. Like Go's clients, it leaves out the last bucket of a histogram, which
 * is its count, and sorts labels.
 */
export function familyMessage({ name, help, type, samples }: SampledFamily): Message {
  const known = types.has(type) ? type : "untyped";
  const metrics =
    known === "histogram" || known === "summary" ? distributions(name, known, samples) : samples.map(numberOf(known));
  return [
    string(1, "name", name),
    string(2, "help", help),
    { number: 3, name: "type", value: { enum: types.get(known) as number, text: known.toUpperCase() } },
    ...metrics.map((metric) => message(4, "metric", metric)),
  ];
}

function numberOf(type: string): (sample: Sample) => Message {
  const number = numberFields.get(type) as number;
  return ({ labels, value }) => [...labelFields(labels), message(number, type, [double(1, "value", value)])];
}

/** A series of a histogram or summary, gathered from its lines. */
interface Distribution {
  readonly labels: readonly LabelPair[];
  count: number;
  sum: number;
  readonly parts: (readonly [bound: number, value: number])[];
}

function distributions(name: string, type: "histogram" | "summary", samples: readonly Sample[]): Message[] {
  const bound = type === "histogram" ? "le" : "quantile";
  const series = new Map<string, Distribution>();
  for (const sample of samples) {
    const labels = sample.labels.filter(([label]) => label !== bound);
    const key = JSON.stringify(labels);
    const known = series.get(key) ?? { labels, count: 0, sum: 0, parts: [] };
    series.set(key, known);
    if (sample.name === `${name}_sum`) {
      known.sum = sample.value;
    } else if (sample.name === `${name}_count`) {
      known.count = sample.value;
    } else {
      const text = sample.labels.find(([label]) => label === bound)?.[1] ?? "";
      if (text !== "+Inf") {
        known.parts.push([Number(text), sample.value]);
      }
    }
  }
  return Array.from(series.values(), (each) => distribution(type, each));
}

function distribution(type: "histogram" | "summary", { labels, count, sum, parts }: Distribution): Message {
  const totals = [uint64(1, "sample_count", count), double(2, "sample_sum", sum)];
  const own =
    type === "histogram"
      ? parts.map(([bound, value]) =>
          message(3, "bucket", [uint64(1, "cumulative_count", value), double(2, "upper_bound", bound)]),
        )
      : parts.map(([quantile, value]) =>
          message(3, "quantile", [double(1, "quantile", quantile), double(2, "value", value)]),
        );
  return [...labelFields(labels), message(type === "histogram" ? 7 : 4, type, [...totals, ...own])];
}

function labelFields(labels: readonly LabelPair[]): MessageField[] {
  const sorted = labels.length < 2 ? labels : labels.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([name, value]) => message(1, "label", [string(1, "name", name), string(2, "value", value)]));
}

function string(number: number, name: string, value: string): MessageField {
  return { number, name, value: { string: value } };
}

function double(number: number, name: string, value: number): MessageField {
  return { number, name, value: { double: value } };
}

function uint64(number: number, name: string, value: number): MessageField {
  return { number, name, value: { uint64: Math.round(value) } };
}

function message(number: number, name: string, value: Message): MessageField {
  return { number, name, value: { message: value } };
}
