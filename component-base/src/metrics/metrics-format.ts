/** A form in which metrics are sent: text 0.0.4, or messages of io.prometheus.client.MetricFamily. */
export interface MetricsFormat {
  readonly contentType: string;
  readonly encoding: "exposition" | "delimited" | "text" | "compact-text";
}

const protoType = "application/vnd.google.protobuf";
const protoMessage = "io.prometheus.client.MetricFamily";

/** The form for every client that asks for no other one. */
export const expositionFormat: MetricsFormat = {
  contentType: "text/plain; version=0.0.4; charset=utf-8",
  encoding: "exposition",
};

const messageFormats: ReadonlyMap<string | undefined, MetricsFormat> = new Map(
  (["delimited", "text", "compact-text"] as const).map((encoding) => [
    encoding,
    { contentType: `${protoType}; proto=${protoMessage}; encoding=${encoding}`, encoding },
  ]),
);

/** A clause of an Accept header. */
interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Negotiates as the handlers of v1.29 do: names count as they are written, wildcards ask for nothing, a quality of zero forbids
 * nothing, and OpenMetrics is not spoken.
 */
export function metricsFormat(accept: string | undefined): MetricsFormat {
  for (const { type, subtype, parameters } of clausesOf(accept ?? "")) {
    if (`${type}/${subtype}` === protoType && parameters.get("proto") === protoMessage) {
      const format = messageFormats.get(parameters.get("encoding"));
      if (format !== undefined) {
        return format;
      }
    }
    if (type === "text" && subtype === "plain" && ["0.0.4", undefined, ""].includes(parameters.get("version"))) {
      return expositionFormat;
    }
  }
  return expositionFormat;
}

/** Clauses that are looked at; the order of more is of no use to anybody. */
const maxClauses = 50;

function clausesOf(accept: string): readonly Clause[] {
  const sorted: Clause[] = [];
  for (const part of accept.split(",", maxClauses)) {
    const [range = "", ...parameters] = part.split(";");
    const [type = "", subtype, ...rest] = range.split("/").map(trimSpaces);
    if (rest.length > 0 || (subtype === undefined && type !== "*")) {
      continue;
    }
    const all = new Map(parameters.flatMap(parameterOf));
    const clause = { type, subtype: subtype ?? "*", quality: qualityOf(all.get("q")), parameters: all };
    let at = sorted.length;
    while (at > 0 && isPreferred(clause, sorted[at - 1] as Clause)) {
      at--;
    }
    sorted.splice(at, 0, clause);
  }
  return sorted;
}

function isPreferred(one: Clause, other: Clause): boolean {
  return (
    one.quality > other.quality ||
    (one.type !== "*" && other.type === "*") ||
    (one.subtype !== "*" && other.subtype === "*")
  );
}

function parameterOf(text: string): [string, string][] {
  const at = text.indexOf("=");
  if (at < 0) {
    return [];
  }
  const name = trimSpaces(text.slice(0, at));
  const value = text.slice(at + 1);
  return [[name, name === "q" ? value : trimSpaces(value)]];
}

function qualityOf(text: string | undefined): number {
  if (text === undefined) {
    return 1;
  }
  return /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) ? Number(text) : 0;
}

function trimSpaces(text: string): string {
  return text.replace(/^ +/, "").replace(/(?<! ) +$/, "");
}
