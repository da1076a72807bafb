import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A metric of v1.29's API server, as `/metrics` of that server shows it. */
export interface KnownMetric {
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly stability: "ALPHA" | "BETA" | "STABLE";
  /** Names of the labels in alphabetical order, without those of buckets and quantiles. */
  readonly labels: readonly string[];
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
  /** The release since which the metric is deprecated: `1.28.0`. */
  readonly deprecated?: string;
}

/** Workspaces whose sources register metrics of the server. */
const workspaces = ["component-base", "apiserver", "custom-resources", "server"];
const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Reads the metrics of v1.29's API server by name. Needs the sources of the repository. */
export function readKnownMetrics(): ReadonlyMap<string, KnownMetric> {
  const text = readFileSync(join(root, "server/src/metrics/known-metrics.json"), "utf8");
  return new Map(Object.entries(JSON.parse(text) as Record<string, KnownMetric>));
}

/** Returns the names that sources register as metrics. Needs the sources of the repository. */
export function registeredMetrics(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const workspace of workspaces) {
    const folder = join(root, workspace, "src");
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (file.endsWith(".ts") && !/\.test(\.support)?\.ts$/.test(file) && !file.endsWith("absent-metrics.ts")) {
        addNames(readFileSync(join(folder, file), "utf8"), names);
      }
    }
  }
  return names;
}

/** Adds the texts of a source that can be names of metrics, also behind a constant called `prefix`. */
function addNames(source: string, names: Set<string>): void {
  const prefix = /^const prefix = "([a-z_]+)";$/m.exec(source)?.[1];
  for (const [, name = ""] of source.matchAll(/["`](?:\$\{prefix\})?([a-z][a-z0-9_]*)["`]/g)) {
    names.add(name);
    if (prefix !== undefined) {
      names.add(prefix + name);
    }
  }
}
