import { readFileSync } from "node:fs";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import type { MetricsPolicy } from "@gatehouse/component-base/metrics";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { parseYamlSteps } from "@gatehouse/envelopes/codec";
import { isJsonObject } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";

const group = "Metrics";

/** The flags of what `/metrics` shows. */
export const metricsFlags = {
  "show-hidden-metrics-for-version": {
    type: "string",
    default: "",
    group,
    help: "The previous minor `release` (1.28), to show metrics that it has deprecated and that are hidden now.",
  },
  "disabled-metrics": {
    type: "stringList",
    group,
    help: "Full `names` of metrics that are not shown.",
  },
  "allow-metric-labels": {
    type: "stringList",
    keepCommas: true,
    group,
    help: 'The values of a label that are shown, as `metric,label=value,value`; every other value becomes "unexpected". Repeatable.',
  },
  "allow-metric-labels-manifest": {
    type: "path",
    group,
    help: "YAML `file` that maps metric,label to allowed values as --allow-metric-labels does, which wins over it.",
  },
} as const satisfies FlagTable;

const minorRelease = 29;
const previousRelease = `1.${minorRelease - 1}`;
const metricAndLabel = /^[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Checks the flags of metrics, and reads the manifest: one that cannot be used is a warning, as in v1.29. */
export function resolveMetricsPolicy(
  flags: FlagValues<typeof metricsFlags>,
  problems: Problem[],
  warnings: string[],
): MetricsPolicy {
  const shown = flags["show-hidden-metrics-for-version"];
  if (shown !== "" && shown !== previousRelease) {
    problems.push(
      problemAt(
        "--show-hidden-metrics-for-version",
        `must be omitted or have the value '${previousRelease}'. Only the previous minor version is allowed`,
      ),
    );
  }
  const texts = flags["allow-metric-labels"];
  const manifest = flags["allow-metric-labels-manifest"];
  const allowed =
    texts.length === 0 && manifest !== undefined ? readManifest(manifest, warnings) : pairsOf(texts, problems);
  return {
    minorRelease,
    showsHidden: shown !== "",
    disabled: new Set(flags["disabled-metrics"]),
    allowedLabelValues: byMetric(allowed),
  };
}

/** Splits each text at its only equals sign, or else between pairs at commas outside of double quotation marks. */
function pairsOf(texts: readonly string[], problems: Problem[]): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const isOne = text.indexOf("=") === text.lastIndexOf("=");
    const entries = isOne ? [text.replace(/^"+|"+$/g, "")] : (text.match(/"[^"]*"|[^",]+/g) ?? []);
    for (const entry of entries) {
      const pair = entry.replaceAll('"', "");
      const equals = pair.indexOf("=");
      if (equals < 0) {
        problems.push(problemAt("--allow-metric-labels", `${pair} must be formatted as key=value`));
      } else if (!metricAndLabel.test(pair.slice(0, equals))) {
        problems.push(
          problemAt(
            "--allow-metric-labels",
            "must have a list of kv pair with format `metricName:labelName=labelValue, labelValue,...`",
          ),
        );
      } else {
        pairs.set(pair.slice(0, equals), pair.slice(equals + 1));
      }
    }
  }
  return pairs;
}

function readManifest(path: string, warnings: string[]): Map<string, string> {
  const pairs = new Map<string, string>();
  try {
    const document = finishSteps(parseYamlSteps(readFileSync(path, "utf8"))).value;
    if (!isJsonObject(document)) {
      throw new TypeError("it is not a map from metric,label to values");
    }
    for (const [key, values] of Object.entries(document)) {
      if (!metricAndLabel.test(key) || typeof values !== "string") {
        throw new TypeError(`${JSON.stringify(key)} must be metric,label with a text of values`);
      }
      pairs.set(key, values);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`--allow-metric-labels-manifest: the file is not used: ${reason}`);
    pairs.clear();
  }
  return pairs;
}

function byMetric(pairs: ReadonlyMap<string, string>): MetricsPolicy["allowedLabelValues"] {
  const metrics = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of pairs) {
    const [metric = "", label = ""] = key.split(",");
    const labels = metrics.get(metric) ?? new Map<string, ReadonlySet<string>>();
    labels.set(label, new Set(values.split(",")));
    metrics.set(metric, labels);
  }
  return metrics;
}
