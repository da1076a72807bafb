import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { version } from "../discovery/version.js";
import type { FeatureGates } from "../options/feature-gates.js";

/** Registers what v1.29 tells of the program: its build, and the state of its features. */
export function registerComponentMetrics(registry: MetricsRegistry, features: FeatureGates): void {
  registry
    .gauge({
      name: "kubernetes_build_info",
      help: "Always 1; the labels tell the version that is served, and the program that serves it.",
      labelNames: [
        "major",
        "minor",
        "git_version",
        "git_commit",
        "git_tree_state",
        "build_date",
        "go_version",
        "compiler",
        "platform",
      ],
    })
    .labels({
      major: version.major,
      minor: version.minor,
      git_version: version.gitVersion,
      git_commit: version.gitCommit,
      git_tree_state: version.gitTreeState,
      build_date: version.buildDate,
      go_version: version.goVersion,
      compiler: version.compiler,
      platform: version.platform,
    })
    .set(1);
  const enabled = registry.gauge({
    name: "kubernetes_feature_enabled",
    help: "1 for each feature that is on, 0 for each that is off.",
    labelNames: ["name", "stage"],
    stability: "BETA",
  });
  for (const feature of features.all()) {
    const stage = feature.stage === "GA" ? "" : feature.stage.toUpperCase();
    enabled.labels({ name: feature.name, stage }).set(feature.enabled ? 1 : 0);
  }
}
