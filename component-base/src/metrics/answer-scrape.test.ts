import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { answerScrape, createMetricsRegistry, type MetricsRegistry } from "./index.js";

const proto = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily";

/** Schema of Prometheus' data model, as far as it is sent. */
const schema = `
  syntax = "proto2";
  message LabelPair { optional string name = 1; optional string value = 2; }
  enum MetricType { COUNTER = 0; GAUGE = 1; SUMMARY = 2; UNTYPED = 3; HISTOGRAM = 4; }
  message Gauge { optional double value = 1; }
  message Counter { optional double value = 1; }
  message Quantile { optional double quantile = 1; optional double value = 2; }
  message Summary { optional uint64 sample_count = 1; optional double sample_sum = 2; repeated Quantile quantile = 3; }
  message Untyped { optional double value = 1; }
  message Bucket { optional uint64 cumulative_count = 1; optional double upper_bound = 2; }
  message Histogram { optional uint64 sample_count = 1; optional double sample_sum = 2; repeated Bucket bucket = 3; }
  message Metric {
    repeated LabelPair label = 1; optional Gauge gauge = 2; optional Counter counter = 3; optional Summary summary = 4;
    optional Untyped untyped = 5; optional Histogram histogram = 7; optional int64 timestamp_ms = 6;
  }
  message MetricFamily {
    optional string name = 1; optional string help = 2; optional MetricType type = 3; repeated Metric metric = 4;
  }`;

/** Decodes delimited messages with a reader that is not of this repository. */
async function decoded(body: Buffer): Promise<readonly unknown[]> {
  const { default: protobufjs } = await import("protobufjs");
  const { root } = protobufjs.parse(schema, { keepCase: true });
  const type = root.lookupType("MetricFamily");
  const reader = protobufjs.Reader.create(body);
  const families: unknown[] = [];
  while (reader.pos < reader.len) {
    const family = type.decodeDelimited(reader);
    families.push(JSON.parse(JSON.stringify(type.toObject(family, { longs: String, enums: String, json: true }))));
  }
  return families;
}

/** A registry with a metric of each type, and what no name, text or number may break. */
function everything(): MetricsRegistry {
  const registry = createMetricsRegistry({ processMetrics: false, now: () => 0 });
  const counter = registry.counter({ name: "c_total", help: 'says "x" \\ and\nmore', labelNames: ["z", "a"] });
  counter.labels({ z: 'q"u,o}te', a: "back\\slash\nline" }).inc(3);
  counter.labels({ z: "é", a: "" }).inc(1e21);
  registry.gauge({ name: "g", help: "" }).labels({}).set(-1.5);
  registry.gauge({ name: "g_inf", help: "h" }).labels({}).set(Number.NEGATIVE_INFINITY);
  const histogram = registry.histogram({ name: "h", help: "h", labelNames: ["le_not"], buckets: [0.005, 1, 1e6] });
  histogram.labels({ le_not: "x" }).observe(0.001, 3_000_000_000);
  histogram.labels({ le_not: "x" }).observe(2);
  histogram.labels({ le_not: "x" }).observe(1e7);
  histogram.labels({ le_not: "y" }).observe(1);
  registry.summary({ name: "s", help: "h", maxAgeMs: 1000 });
  return registry;
}

const families = [
  {
    name: "c_total",
    help: 'says "x" \\ and\nmore',
    type: "COUNTER",
    metric: [
      {
        label: [
          { name: "a", value: "back\\slash\nline" },
          { name: "z", value: 'q"u,o}te' },
        ],
        counter: { value: 3 },
      },
      {
        label: [
          { name: "a", value: "" },
          { name: "z", value: "é" },
        ],
        counter: { value: 1e21 },
      },
    ],
  },
  { name: "g", help: "", type: "GAUGE", metric: [{ gauge: { value: -1.5 } }] },
  { name: "g_inf", help: "h", type: "GAUGE", metric: [{ gauge: { value: "-Infinity" } }] },
  {
    name: "h",
    help: "h",
    type: "HISTOGRAM",
    metric: [
      {
        label: [{ name: "le_not", value: "x" }],
        histogram: {
          sample_count: "3000000002",
          sample_sum: 13_000_002,
          bucket: [
            { cumulative_count: "3000000000", upper_bound: 0.005 },
            { cumulative_count: "3000000000", upper_bound: 1 },
            { cumulative_count: "3000000001", upper_bound: 1_000_000 },
          ],
        },
      },
      {
        label: [{ name: "le_not", value: "y" }],
        histogram: {
          sample_count: "1",
          sample_sum: 1,
          bucket: [
            { cumulative_count: "0", upper_bound: 0.005 },
            { cumulative_count: "1", upper_bound: 1 },
            { cumulative_count: "1", upper_bound: 1_000_000 },
          ],
        },
      },
    ],
  },
  {
    name: "s",
    help: "h",
    type: "SUMMARY",
    metric: [
      {
        summary: {
          sample_count: "0",
          sample_sum: 0,
          quantile: [0.5, 0.9, 0.99].map((quantile) => ({ quantile, value: "NaN" })),
        },
      },
    ],
  },
];

/** Asks for metrics with this Accept. */
async function answerTo(
  render: () => Promise<string>,
  accept: string,
): Promise<{ readonly contentType: string | undefined; readonly body: Buffer }> {
  const { headers, body } = await answerScrape(render, { accept });
  return { contentType: headers["Content-Type"], body };
}

describe("Metrics as messages", () => {
  it("have each name, text, label and number of the registry", async () => {
    const registry = everything();
    const { contentType, body } = await answerTo(() => registry.render(), `${proto};encoding=delimited`);
    assert.equal(
      contentType,
      "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited",
    );
    assert.deepEqual(await decoded(body), families);
  });

  it("are those that the text has, also of Node itself, in the same order", async () => {
    const registry = createMetricsRegistry({ processMetrics: true });
    const text = await registry.render();
    const names = Array.from(text.matchAll(/^# TYPE ([^ ]+)/gm), ([, name]) => name);
    const { body } = await answerTo(async () => text, `${proto};encoding=delimited`);
    const found = (await decoded(body)) as { readonly name: string; readonly metric?: readonly unknown[] }[];
    assert.deepEqual(
      found.map(({ name }) => name),
      names,
    );
    assert.ok(names.includes("process_cpu_seconds_total") && names.includes("nodejs_gc_duration_seconds"));
    assert.ok(found.every(({ name, metric }) => name === "nodejs_gc_duration_seconds" || (metric ?? []).length > 0));
  });

  it("are text for those who ask for it", async () => {
    const registry = createMetricsRegistry({ processMetrics: false });
    registry
      .histogram({ name: "h", help: 'a "b"\n', buckets: [0.5, 1e7] })
      .labels({})
      .observe(0.25);
    registry
      .gauge({ name: "g", help: "x", labelNames: ["l"] })
      .labels({ l: "\u0001\\" })
      .set(Number.POSITIVE_INFINITY);
    const text = async (encoding: string): Promise<string> => {
      const { contentType, body } = await answerTo(() => registry.render(), `${proto};encoding=${encoding}`);
      const type = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily";
      assert.equal(contentType, `${type}; encoding=${encoding}`);
      return body.toString();
    };
    assert.equal(
      await text("compact-text"),
      'name:"g" help:"x" type:GAUGE metric:{label:{name:"l" value:"\\x01\\\\"} gauge:{value:inf}}\n' +
        'name:"h" help:"a \\"b\\"\\n" type:HISTOGRAM metric:{histogram:{sample_count:1 sample_sum:0.25 ' +
        "bucket:{cumulative_count:1 upper_bound:0.5} bucket:{cumulative_count:1 upper_bound:1e+07}}}\n",
    );
    assert.equal(
      (await text("text")).split("\n\n")[0],
      'name: "g"\nhelp: "x"\ntype: GAUGE\nmetric: {\n  label: {\n    name: "l"\n    value: "\\x01\\\\"\n  }\n  gauge: {\n    value: inf\n  }\n}',
    );
  });

  it("are nothing where there are none", async () => {
    const { body } = await answerTo(async () => "", `${proto};encoding=delimited`);
    assert.equal(body.length, 0);
  });

  for (const line of ["x", "x{", 'x{a="b} 1', "x 1 2 3", "x one", " 1", 'x{a="b"}1']) {
    it(`cannot be made of the line ${JSON.stringify(line)}`, async () => {
      const text = `# TYPE x gauge\n${line}\n`;
      await assert.rejects(
        answerTo(async () => text, `${proto};encoding=delimited`),
        new TypeError(`no sample of a metric: ${line}`),
      );
    });
  }
});

describe("Metrics are compressed", () => {
  const text = "# TYPE g gauge\ng 1\n";
  for (const [acceptEncoding, isCompressed] of [
    ["gzip", true],
    ["deflate, gzip;q=0.5", true],
    ["gzip;q=0", true],
    ["gzip ;q=1", false],
    ["GZIP", false],
    ["identity", false],
    ["", false],
    [undefined, false],
  ] as const) {
    it(`${isCompressed ? "for" : "not for"} ${JSON.stringify(acceptEncoding)}`, async () => {
      const { headers, body } = await answerScrape(async () => text, { acceptEncoding });
      assert.deepEqual(headers, {
        "Content-Type": "text/plain; version=0.0.4; charset=utf-8",
        ...(isCompressed ? { "Content-Encoding": "gzip" } : {}),
      });
      assert.equal((isCompressed ? gunzipSync(body) : body).toString(), text);
    });
  }
});
