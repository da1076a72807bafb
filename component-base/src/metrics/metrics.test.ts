import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetricsRegistry } from "./metrics-registry.js";

test("counters, gauges and histograms are shown in Prometheus text format", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  const requests = registry.counter({
    name: "apiserver_request_total",
    help: "Counter of requests.\nBy \\ verb.",
    labelNames: ["verb", "code"],
  });
  const get = requests.labels({ verb: "GET", code: "200" });
  get.inc();
  get.inc(2);
  requests.labels({ code: "404", verb: 'a"b\\\n' }).inc();
  const inflight = registry.gauge({ name: "inflight", help: "Now." }).labels({});
  inflight.set(5);
  inflight.dec();
  const latency = registry.histogram({
    name: "latency_seconds",
    help: "How long.",
    labelNames: ["verb"],
    buckets: [0.1, 1],
  });
  const list = latency.labels({ verb: "LIST" });
  for (const value of [0.05, 0.1, 0.5, 3]) {
    list.observe(value);
  }
  assert.equal(
    await registry.render(),
    `# HELP apiserver_request_total Counter of requests.\\nBy \\\\ verb.
# TYPE apiserver_request_total counter
apiserver_request_total{verb="GET",code="200"} 3
apiserver_request_total{verb="a\\"b\\\\\\n",code="404"} 1
# HELP inflight Now.
# TYPE inflight gauge
inflight 4
# HELP latency_seconds How long.
# TYPE latency_seconds histogram
latency_seconds_bucket{verb="LIST",le="0.1"} 2
latency_seconds_bucket{verb="LIST",le="1"} 3
latency_seconds_bucket{verb="LIST",le="+Inf"} 4
latency_seconds_sum{verb="LIST"} 3.65
latency_seconds_count{verb="LIST"} 4
`,
  );
});

test("a summary tells quantiles of the time that counts, and how much there has been ever", async () => {
  const hourMs = 3_600_000;
  let now = 0;
  const registry = createMetricsRegistry({ processMetrics: false, now: () => now });
  const metric = registry.summary({ name: "step_seconds", help: "x", labelNames: ["type"], maxAgeMs: 5 * hourMs });
  const series = metric.labels({ type: "admit" });
  const shown = async () =>
    (await registry.render())
      .split("\n")
      .slice(1, -1)
      .map((line) => line.replace(/0\.\d+$/, (value) => Number(value).toPrecision(1)));
  for (let index = 1; index <= 100; index++) {
    series.observe(index < 90 ? 0.125 : 0.5);
  }
  series.observe(0);
  assert.deepEqual(await shown(), [
    "# TYPE step_seconds summary",
    'step_seconds{type="admit",quantile="0.5"} 0.1',
    'step_seconds{type="admit",quantile="0.9"} 0.5',
    'step_seconds{type="admit",quantile="0.99"} 0.5',
    'step_seconds_sum{type="admit"} 16.625',
    'step_seconds_count{type="admit"} 101',
  ]);
  now = 3 * hourMs;
  series.observe(0.02);
  now = 5.5 * hourMs;
  const later = await shown();
  assert.equal(later[1], 'step_seconds{type="admit",quantile="0.5"} 0.02');
  assert.equal(later[5], 'step_seconds_count{type="admit"} 102');
  now = 9 * hourMs;
  assert.equal((await shown())[1], 'step_seconds{type="admit",quantile="0.5"} NaN');
});

test("a metric without labels is shown before its first event", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  registry.counter({ name: "restarts_total", help: "Restarts." });
  assert.match(await registry.render(), /^restarts_total 0$/m);
});

test("label sets beyond the bound share one series", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  const metric = registry.counter({ name: "by_user_total", help: "x", labelNames: ["user"], maxSeries: 2 });
  for (const user of ["a", "b", "c", "d", "a"]) {
    metric.labels({ user }).inc();
  }
  const lines = (await registry.render()).split("\n").filter((line) => line.startsWith("by_user"));
  assert.deepEqual(lines, [
    'by_user_total{user="a"} 2',
    'by_user_total{user="b"} 1',
    'by_user_total{user="overflow"} 2',
  ]);
});

test("metrics are shown in the order of their names, however they were registered", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  for (const name of ["b_total", "c_total", "a_total"]) {
    registry.counter({ name, help: "x" }).labels({}).inc();
  }
  assert.deepEqual((await registry.render()).match(/^\w_total/gm), ["a_total", "b_total", "c_total"]);
});

test("gauges can be brought up to date before a scrape", async () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  const queue = registry.gauge({ name: "queue_length", help: "x" }).labels({});
  registry.beforeScrape(() => queue.set(7));
  assert.match(await registry.render(), /^queue_length 7$/m);
});

test("the metrics of the process come with it when asked for", async () => {
  const registry = createMetricsRegistry({ processMetrics: true });
  const text = await registry.render();
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  assert.match(text, /^process_start_time_seconds \d+/m);
  assert.ok(text.endsWith("\n"));
});

test("only counters of the process have names that end in _total", async () => {
  const text = await createMetricsRegistry({ processMetrics: true }).render();
  const types = [...text.matchAll(/^# TYPE \S+_total (\w+)$/gm)].map(([, type]) => type);
  assert.ok(types.length > 0);
  assert.deepEqual(new Set(types), new Set(["counter"]));
});

test("a registry that contradicts itself is refused", () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  registry.counter({ name: "a_total", help: "x" });
  assert.throws(() => registry.gauge({ name: "a_total", help: "x" }), TypeError);
  assert.throws(() => registry.gauge({ name: "a-b", help: "x" }), TypeError);
  assert.throws(() => registry.gauge({ name: "b", help: "x", labelNames: ["__name__"] }), TypeError);
  assert.throws(() => registry.histogram({ name: "c", help: "x", buckets: [2, 1] }), TypeError);
});
