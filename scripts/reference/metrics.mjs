// The reference of metrics: those of v1.29's API server, and which of them this server has.
import { absentMetrics } from "../../server/dist/metrics/absent-metrics.js";
import { readKnownMetrics } from "../../server/dist/metrics/known-metrics.js";

/** Returns the page as Markdown, after a build. */
export function metricsReference() {
  const known = [...readKnownMetrics()];
  const present = known.filter(([name]) => !(name in absentMetrics));
  const absent = known.filter(([name]) => name in absentMetrics);
  const rows = present.map(
    ([name, { type, stability, labels, deprecated }]) =>
      `| \`${name}\` | ${type} | ${stability.toLowerCase()}${deprecated === undefined ? "" : `, deprecated in ${deprecated}`} | ${labels.map((label) => `\`${label}\``).join(", ")} |`,
  );
  const reasons = absent.map(([name]) => `| \`${name}\` | ${absentMetrics[name]} |`);
  return `# Metrics

\`/metrics\` of the API server shows the metrics of kube-apiserver v1.29 under its names, with its types, labels and buckets.
A metric with labels is shown when it has a value. Deprecated metrics are hidden unless
\`--show-hidden-metrics-for-version=1.28\` is given. \`--disabled-metrics\` hides others, and \`--allow-metric-labels\` limits
the values of labels. \`/metrics/slis\` shows the results of health checks. The metrics of Go's runtime (\`go_*\`) have no
meaning here; those of the process (\`process_*\`) and of Node.js (\`nodejs_*\`) are shown.

## Metrics of v1.29 that this server has

| name | type | stability | labels |
| ---- | ---- | --------- | ------ |
${rows.join("\n")}

## Metrics of v1.29 that this server does not have

| name | reason |
| ---- | ------ |
${reasons.join("\n")}
`;
}
