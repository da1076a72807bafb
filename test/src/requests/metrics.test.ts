import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";

/** A metric as it is shown. */
interface Family {
  readonly type: string;
  readonly stability: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

/** Returns the metrics of a scrape by name. */
function familiesOf(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const part of text.split(/^# HELP /m).slice(1)) {
    const [head = "", typeLine = "", ...lines] = part.split("\n");
    const [, name = "", stability = "", help = ""] = /^(\S+) \[(\w+)\] (.*)$/.exec(head) ?? [];
    const series = lines.flatMap((line) => [...line.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g)]);
    const labels = new Set(
      series.map(([, label = ""]) => label).filter((label) => !["le", "quantile"].includes(label)),
    );
    const bounds = new Set(
      series.filter(([, label, value]) => label === "le" && value !== "+Inf").map(([, , value]) => Number(value)),
    );
    const type = typeLine.split(" ")[3] ?? "";
    families.set(name, {
      type,
      stability,
      help,
      labels: [...labels].sort(),
      ...(type === "histogram" ? { buckets: [...bounds] } : {}),
    });
  }
  return families;
}

const json = { "content-type": "application/json" };

/** One server for all: its flags change what is shown of a few metrics that no other test reads. */
describe("Metrics", () => {
  let server: ControlPlane;
  let client: ApiClient;
  let folder: string;
  const scrape = async (): Promise<string> => (await client.get("/metrics")).text;
  const configMaps = "/api/v1/namespaces/default/configmaps";
  const create = async (name: string, query = ""): Promise<void> => {
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    assert.equal((await client.request("POST", `${configMaps}${query}`, { body, headers: json })).status, 201);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-metrics-"));
    const manifest = join(folder, "labels.yaml");
    await writeFile(manifest, '"apiserver_watch_cache_initializations_total,resource": "configmaps"\n');
    server = await startTestServer({
      flags: [
        "--service-cluster-ip-range=10.0.0.0/24",
        "--show-hidden-metrics-for-version=1.28",
        "--disabled-metrics=apiserver_response_sizes,apiserver_storage_objects",
        `--allow-metric-labels-manifest=${manifest}`,
      ],
    });
    client = createApiClient(server.clientConfig);
    await create("one");
  });
  after(async () => {
    client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it("every metric that is shown has the type, the stability, the labels and the buckets of v1.29", async () => {
    const place = new URL("../../../server/src/metrics/known-metrics.json", import.meta.url);
    const known = JSON.parse(await readFile(place, "utf8")) as Record<string, Omit<Family, "help">>;
    const shown = familiesOf(await scrape());
    const compared = Object.keys(known).filter((name) => shown.has(name));
    assert.ok(compared.length > 60, `only ${compared.length} metrics are shown`);
    for (const name of compared) {
      const { help, ...family } = shown.get(name) as Family;
      const { type, stability, labels, buckets } = known[name] as Family;
      assert.deepEqual(family, { type, stability, labels, ...(buckets === undefined ? {} : { buckets }) }, name);
      assert.notEqual(help, "");
    }
  });

  it("disabled metrics are not shown, and counted", async () => {
    const text = await scrape();
    assert.doesNotMatch(text, /apiserver_response_sizes|apiserver_storage_objects/);
    assert.match(text, /^disabled_metrics_total 2$/m);
  });

  it("hidden metrics are shown when their release is asked for, and say that they are deprecated", async () => {
    const text = await scrape();
    assert.match(text, /^# HELP apiserver_request_slo_duration_seconds \[ALPHA\] \(Deprecated since 1\.27\.0\) /m);
    assert.match(text, /^apiserver_request_slo_duration_seconds_count\{verb="POST"/m);
    assert.match(text, /^hidden_metrics_total 0$/m);
  });

  it("label values that a manifest does not allow are shown as one", async () => {
    await client.get("/api/v1/nodes");
    const text = await scrape();
    const values = [...text.matchAll(/^apiserver_watch_cache_initializations_total\{resource="(.*)"\}/gm)];
    assert.deepEqual(values.map(([, value]) => value).sort(), ["configmaps", "unexpected"]);
    assert.match(text, /^cardinality_enforcement_unexpected_categorizations_total [1-9]/m);
  });

  it("metrics begin with their stability, and are counted by it", async () => {
    const text = await scrape();
    assert.match(text, /^# HELP apiserver_request_total \[STABLE\] /m);
    assert.match(text, /^# HELP kubernetes_feature_enabled \[BETA\] /m);
    assert.match(text, /^registered_metrics_total\{stability_level="STABLE",deprecated_version=""\} [1-9]/m);
  });

  it("the build and the features of the server are told", async () => {
    const text = await scrape();
    assert.match(text, /^kubernetes_build_info\{major="1",minor="29",git_version="v1\.29\..*\} 1$/m);
    assert.match(text, /^kubernetes_feature_enabled\{name="APIListChunking",stage=""\} 1$/m);
    assert.match(text, /^kubernetes_feature_enabled\{name="AllAlpha",stage="ALPHA"\} 0$/m);
  });

  it("counters of audit events are shown where nothing is recorded, too", async () => {
    const text = await scrape();
    assert.match(text, /^apiserver_audit_event_total 0$/m);
    assert.match(text, /^apiserver_audit_requests_rejected_total 0$/m);
  });

  it("an apply is a verb of its own, and bodies are measured by verb", async () => {
    const headers = { "content-type": "application/apply-patch+yaml" };
    const body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: applied}}";
    const path = `${configMaps}/applied?fieldManager=me`;
    assert.equal((await client.request("PATCH", path, { body, headers })).status, 201);
    const text = await scrape();
    assert.match(text, /^apiserver_request_total\{verb="APPLY",.*resource="configmaps".*code="201"\} 1$/m);
    assert.match(text, /^apiserver_request_body_size_bytes_count\{resource="configmaps",verb="patch"\} 1$/m);
    assert.match(
      text,
      /^apiserver_request_body_size_bytes_bucket\{resource="configmaps",verb="patch",le="50000"\} 1$/m,
    );
  });

  it("a list tells how many objects were looked at, and how many were returned", async () => {
    const series = (text: string, name: string): number =>
      Number(new RegExp(`^${name}\\{resource_prefix="/configmaps".*\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
    const earlier = await scrape();
    const { document } = await client.get(`${configMaps}?labelSelector=no%3Dsuch`);
    assert.deepEqual(document["items"], []);
    const { items } = (await client.get(configMaps)).document as unknown as { items: unknown[] };
    const later = await scrape();
    const growth = (name: string): number => series(later, name) - series(earlier, name);
    assert.equal(growth("apiserver_cache_list_total"), 2);
    assert.equal(growth("apiserver_cache_list_fetched_objects_total"), 2 * items.length);
    assert.equal(growth("apiserver_cache_list_returned_objects_total"), items.length);
  });

  it("allocations of addresses and node ports are counted, dry runs are not", async () => {
    const series = async (): Promise<ReadonlySet<string>> => {
      const lines = [...(await scrape()).matchAll(/^kube_apiserver_(\w+_allocator_.*)$/gm)];
      return new Set(
        lines.map(([, line = ""]) => line.replace('cidr="10.0.0.0/24",', "").replace('{cidr="10.0.0.0/24"}', "")),
      );
    };
    const path = "/api/v1/namespaces/default/services";
    const make = async (name: string, status: number, spec: object, query = ""): Promise<void> => {
      const body = JSON.stringify({ metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
      assert.equal((await client.request("POST", `${path}${query}`, { body, headers: json })).status, status, name);
    };
    const ofService = new Set([
      "clusterip_allocator_allocated_ips 1",
      "clusterip_allocator_available_ips 253",
      'clusterip_allocator_allocation_total{scope="static"} 1',
      "nodeport_allocator_allocated_ports 0",
      "nodeport_allocator_available_ports 0",
    ]);
    assert.deepEqual(await series(), ofService);
    for (const spec of [{}, { clusterIP: "10.0.0.9" }, { type: "NodePort" }]) {
      await make("dry", 201, spec, "?dryRun=All");
    }
    await make("dry", 422, { clusterIP: "10.99.0.9" }, "?dryRun=All");
    assert.deepEqual(await series(), ofService);
    await make("a", 201, {});
    await make("b", 201, { clusterIP: "10.0.0.9" });
    await make("taken", 422, { clusterIP: "10.0.0.9" });
    await make("outside", 422, { clusterIP: "10.99.0.9" });
    await make("c", 201, {
      type: "NodePort",
      ports: [
        { port: 80, name: "x" },
        { port: 81, name: "y", nodePort: 30001 },
      ],
    });
    await make("d", 422, {
      type: "NodePort",
      ports: [
        { port: 80, name: "x" },
        { port: 81, name: "y", nodePort: 30001 },
      ],
    });
    await make("e", 422, { type: "NodePort", ports: [{ port: 80, nodePort: 1 }] });
    const counts = [
      'clusterip_allocator_allocation_total{scope="static"} 2',
      'clusterip_allocator_allocation_total{scope="dynamic"} 4',
      'clusterip_allocator_allocation_errors_total{scope="static"} 2',
    ];
    const ofPorts = [
      'nodeport_allocator_allocation_total{scope="dynamic"} 2',
      'nodeport_allocator_allocation_total{scope="static"} 1',
      'nodeport_allocator_allocation_errors_total{scope="static"} 2',
    ];
    assert.deepEqual(
      await series(),
      new Set([
        ...["clusterip_allocator_allocated_ips 4", "clusterip_allocator_available_ips 250", ...counts],
        ...["nodeport_allocator_allocated_ports 2", "nodeport_allocator_available_ports 2766", ...ofPorts],
      ]),
    );
    for (const name of ["a", "b", "c"]) {
      assert.equal((await client.request("DELETE", `${path}/${name}`)).status, 200);
    }
    assert.deepEqual(
      await series(),
      new Set([
        ...["clusterip_allocator_allocated_ips 1", "clusterip_allocator_available_ips 253", ...counts],
        ...["nodeport_allocator_allocated_ports 0", "nodeport_allocator_available_ports 2768", ...ofPorts],
      ]),
    );
  });

  it("profiles are served unless they are switched off", async () => {
    const answer = await client.get("/debug/pprof/");
    assert.equal(answer.status, 200);
    assert.match(answer.text, /href="profile"/);
    assert.equal((await client.get("/debug/pprof/goroutine")).status, 404);
  });

  it("filters are timed, and paths that belong to no resource are not counted as requests", async () => {
    await client.get("/nope");
    const text = await scrape();
    for (const filter of ["authentication", "authorization", "impersonation"]) {
      assert.match(
        text,
        new RegExp(`^apiserver_request_filter_duration_seconds_count\\{filter="${filter}"\\} [1-9]`, "m"),
      );
    }
    assert.doesNotMatch(text, /^apiserver_request_total\{.*resource="",subresource="",/m);
  });

  it("a request that runs out of time is counted as terminated", async () => {
    const path = `${configMaps}?resourceVersion=9000000000&resourceVersionMatch=NotOlderThan&timeout=1ms`;
    assert.equal((await client.get(path)).status, 504);
    assert.match(
      await scrape(),
      /^apiserver_request_terminations_total\{verb="LIST",.*resource="configmaps",.*component="apiserver",code="504"\} 1$/m,
    );
  });

  it("the server's own requests and the queues of its controllers are counted", async () => {
    const text = await scrape();
    assert.match(text, /^apiserver_selfrequest_total\{verb="POST",resource="namespaces",subresource=""\} [1-9]/m);
    assert.match(text, /^workqueue_adds_total\{name="crd_naming_condition_controller"\} \d/m);
    assert.match(text, /^workqueue_queue_duration_seconds_bucket\{name="namespace",le="9\.999999999999999e-06"\}/m);
  });

  it("a watch by its former path counts as a long-running read", async () => {
    await Promise.all([
      client.get("/api/v1/watch/endpoints?timeoutSeconds=1"),
      client.get("/api/v1/namespaces/default/endpoints?watch=1&timeoutSeconds=1"),
    ]);
    const text = await scrape();
    const series = text
      .split("\n")
      .filter((line) => line.startsWith("apiserver_longrunning_requests{") && line.includes('resource="endpoints"'));
    const verbs = series.map((line) => /verb="(\w+)".*scope="(\w+)"/.exec(line)?.slice(1));
    assert.deepEqual(verbs.map(String).sort(), ["LIST,cluster", "WATCH,namespace"]);
  });

  it("metrics of logs are absent before the first request for a log", async () => {
    assert.doesNotMatch(await scrape(), /^kube_apiserver_pod_logs_/m);
  });
});
