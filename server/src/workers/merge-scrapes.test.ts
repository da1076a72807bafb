import assert from "node:assert/strict";
import { test } from "node:test";
import { parseScrape, renderScrape } from "./exposition.js";
import { mergeScrapes } from "./merge-scrapes.js";
import { ServerMetrics } from "./server-metrics.js";

function scrape(requests: number, { inflight = 0, objects = 0, quantile = "NaN" } = {}): string {
  return `# HELP requests_total Requests, "by" path \\\\ and code.
# TYPE requests_total counter
requests_total{path="/a b} ",code="200"} ${requests}
# HELP inflight Requests under way.
# TYPE inflight gauge
inflight ${inflight}
# HELP apiserver_storage_objects Objects.
# TYPE apiserver_storage_objects gauge
apiserver_storage_objects{resource="pods"} ${objects}
# HELP seconds Durations.
# TYPE seconds histogram
seconds_bucket{le="0.1"} 1
seconds_bucket{le="+Inf"} ${requests}
seconds_sum 0.5
seconds_count ${requests}
# HELP admission Durations.
# TYPE admission summary
admission{quantile="0.5"} ${quantile}
admission_sum 1
admission_count ${requests}
`;
}

test("a scrape is rendered as it was read", () => {
  assert.equal(renderScrape(parseScrape(scrape(3, { quantile: "0.25" }))), scrape(3, { quantile: "0.25" }));
});

test("counts are summed, what all workers see alike is not, and of quantiles the worst is shown", () => {
  const merged = mergeScrapes([
    parseScrape(scrape(3, { inflight: 1, objects: 7 })),
    parseScrape(scrape(4, { inflight: 2, objects: 8, quantile: "0.25" })),
  ]);
  assert.equal(
    renderScrape(merged),
    scrape(7, { inflight: 3, objects: 8, quantile: "0.25" })
      .replace('{le="0.1"} 1', '{le="0.1"} 2')
      .replace("seconds_sum 0.5", "seconds_sum 1")
      .replace("admission_sum 1", "admission_sum 2"),
  );
});

test("series that one worker has and the others lack are shown, too", () => {
  const one = parseScrape("# HELP a A.\n# TYPE a counter\na 1\n");
  const other = parseScrape('# HELP a A.\n# TYPE a counter\na{x="1"} 2\n# HELP b B.\n# TYPE b gauge\nb 3\n');
  assert.equal(
    renderScrape(mergeScrapes([one, other])),
    '# HELP a A.\n# TYPE a counter\na 1\na{x="1"} 2\n# HELP b B.\n# TYPE b gauge\nb 3\n',
  );
});

test("of a range that several workers allocate from, the fullest state that one of them knows is shown", () => {
  const ofWorker = (allocated: number, available: number): string =>
    [
      "# HELP kube_apiserver_nodeport_allocator_allocated_ports A.",
      "# TYPE kube_apiserver_nodeport_allocator_allocated_ports gauge",
      `kube_apiserver_nodeport_allocator_allocated_ports ${allocated}`,
      "# HELP kube_apiserver_nodeport_allocator_available_ports B.",
      "# TYPE kube_apiserver_nodeport_allocator_available_ports gauge",
      `kube_apiserver_nodeport_allocator_available_ports ${available}\n`,
    ].join("\n");
  const unused = ofWorker(0, 0);
  const scrapes = [unused, ofWorker(2, 98), ofWorker(5, 95)].map(parseScrape);
  assert.equal(renderScrape(mergeScrapes(scrapes)), ofWorker(5, 95));
});

test("counters never go backwards: not when a worker ends, starts anew, or does not answer", async () => {
  const [one, two, three] = [{}, {}, {}];
  let answers = new Map<object, string>([
    [one, scrape(5, { inflight: 1 })],
    [two, scrape(7, { inflight: 1 })],
  ]);
  const metrics = new ServerMetrics(async () => ({ by: answers }));
  const requests = async (): Promise<string | undefined> => / (\d+)$/m.exec((await metrics.render("m")).slice(80))?.[1];
  assert.equal(await requests(), "12");
  answers = new Map([[one, scrape(6, { inflight: 1 })]]);
  assert.equal(await requests(), "13", "the last scrape stands for an answer that does not come");
  metrics.ended(two);
  metrics.ended(three);
  const text = await metrics.render("m");
  assert.match(text, /^inflight 1$/m, "nothing is under way in a worker that has ended");
  assert.match(text, /^seconds_count 13$/m);
  answers = new Map([
    [one, scrape(6)],
    [three, scrape(1)],
  ]);
  assert.equal(await requests(), "14");
});
