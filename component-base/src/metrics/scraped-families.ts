import { StepMeter, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";

/** A label of a sample: its name and value. */
export type LabelPair = readonly [name: string, value: string];

/** A line of a metric: the name, which may end in `_bucket`, `_sum` or `_count`, the labels and the value. */
export interface Sample {
  readonly name: string;
  readonly labels: readonly LabelPair[];
  readonly value: number;
}

/** A metric in the text format, with its lines in their order. */
export interface SampledFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

/** Number of lines that are read in one step: a scrape must not hold up requests. */
const linesPerStep = 500;

/** Reads metrics in Prometheus text format 0.0.4, as registries render them. Throws TypeError for a line that is none. */
export async function readExposition(text: string): Promise<readonly SampledFamily[]> {
  const families: SampledFamily[] = [];
  let samples: Sample[] = [];
  let help = "";
  const meter = new StepMeter(linesPerStep);
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.startsWith("# HELP ")) {
      const at = line.indexOf(" ", 7);
      help = at < 0 ? "" : line.slice(at + 1).replace(/\\[\\n]/g, (escaped) => (escaped === "\\n" ? "\n" : "\\"));
    } else if (line.startsWith("# TYPE ")) {
      const [name = "", type = ""] = line.slice(7).split(" ");
      samples = [];
      families.push({ name, help, type, samples });
      help = "";
    } else if (line !== "" && !line.startsWith("#")) {
      samples.push(readSample(line));
    }
    if (meter.count()) {
      await yieldToEventLoop();
    }
  }
  return families;
}

/** A label with its value in quotes, and what comes before it. */
const labelPattern = /[{,]([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/y;

function readSample(line: string): Sample {
  const nameEnd = line.search(/[ {]/);
  const labels: LabelPair[] = [];
  let at = nameEnd;
  for (labelPattern.lastIndex = at; ; at = labelPattern.lastIndex) {
    const [, name, value] = labelPattern.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      break;
    }
    labels.push([name, value.replace(/\\(.)/g, (_escape, character) => (character === "n" ? "\n" : character))]);
  }
  const rest = line.startsWith("}", at)
    ? line.slice(at + 1)
    : line.startsWith("{}", at)
      ? line.slice(at + 2)
      : line.slice(at);
  const [, number = ""] = /^ ([^ ]+)$/.exec(rest) ?? [];
  const value = numberOf(number);
  if (nameEnd <= 0 || (Number.isNaN(value) && number.toLowerCase() !== "nan")) {
    throw new TypeError(`no sample of a metric: ${line.slice(0, 200)}`);
  }
  return { name: line.slice(0, nameEnd), labels, value };
}

function numberOf(text: string): number {
  switch (text) {
    case "+Inf":
      return Number.POSITIVE_INFINITY;
    case "-Inf":
      return Number.NEGATIVE_INFINITY;
    default:
      return text === "" ? Number.NaN : Number(text);
  }
}
