import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";

/** Returns the lines of a metric whose series have all these labels. */
function seriesOf(text: string, name: string, labels: Readonly<Record<string, string>>): readonly string[] {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)));
}

/** Returns the value of the only series of a metric that has these labels. */
function readingOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const lines = seriesOf(text, name, labels);
  assert.equal(lines.length, 1, `${name} ${JSON.stringify(labels)}: ${lines.length} series`);
  return Number(lines[0]?.split(" ").at(-1));
}

/** Series that rules and alerts of kube-prometheus read of an API server, as v1.29 shows them under the same requests. */
describe("Metrics that alerts about API servers need", () => {
  let server: ControlPlane;
  let client: ApiClient;
  const configMaps = "/api/v1/namespaces/default/configmaps";
  const scrape = async (): Promise<string> => (await client.get("/metrics")).text;

  before(async () => {
    server = await startTestServer({
      flags: [
        ...["--enable-priority-and-fairness=false", "--max-requests-inflight=1", "--max-mutating-requests-inflight=1"],
        ...["--service-cluster-ip-range=10.0.0.0/24", "--enable-aggregator-routing=true"],
      ],
    });
    client = createApiClient(server.clientConfig);
  });
  after(async () => {
    client[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  it("latencies of reads are told by scope, with the bounds that are looked for", async () => {
    await client.post(configMaps, { metadata: { name: "one" } });
    for (const path of [`${configMaps}/one`, configMaps, "/api/v1/configmaps"]) {
      assert.equal((await client.get(path)).status, 200);
    }
    const text = await scrape();
    const name = "apiserver_request_sli_duration_seconds_bucket";
    for (const [verb, scope, le] of [
      ["GET", "resource", "1"],
      ["LIST", "namespace", "5"],
      ["LIST", "cluster", "30"],
      ["POST", "resource", "1"],
    ] as const) {
      assert.equal(readingOf(text, name, { verb, scope, le, resource: "configmaps", subresource: "" }), 1, scope);
    }
  });

  it("latencies of logs and proxies are told, so that rules can leave them out by subresource", async () => {
    const spec = { nodeName: "gone", containers: [{ name: "c", image: "nginx" }] };
    await client.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
    assert.equal((await client.post("/api/v1/namespaces/default/pods", { metadata: { name: "p" }, spec })).status, 201);
    await client.get("/api/v1/namespaces/default/pods/p/log");
    await client.get("/api/v1/namespaces/default/pods/p/proxy/");
    const text = await scrape();
    for (const subresource of ["log", "proxy"]) {
      const labels = { verb: "CONNECT", resource: "pods", subresource };
      assert.equal(readingOf(text, "apiserver_request_sli_duration_seconds_count", labels), 1, subresource);
    }
  });

  it("requests that are too many count as terminated and as answered, and are not timed", async () => {
    const user = { "impersonate-user": "jane" };
    const slow = client.get(`${configMaps}?resourceVersion=9000000000&resourceVersionMatch=NotOlderThan`, user);
    let refused = 0;
    // The first request may arrive after the others.
    while (refused === 0) {
      refused += (await client.get("/api/v1/secrets", user)).status === 429 ? 1 : 0;
    }
    refused += (await client.get("/apis/example.com/v1/things", user)).status === 429 ? 1 : 0;
    assert.equal(refused, 2, "the slow request is still under way");
    await slow;
    const text = await scrape();
    const labels = { verb: "LIST", resource: "secrets", scope: "cluster", component: "apiserver", code: "429" };
    assert.equal(readingOf(text, "apiserver_request_terminations_total", labels), 1);
    assert.equal(readingOf(text, "apiserver_request_total", labels), 1);
    const unknown = { verb: "GET", group: "", resource: "", component: "apiserver", code: "429" };
    assert.equal(readingOf(text, "apiserver_request_terminations_total", unknown), 1);
    assert.doesNotMatch(text, /things/);
  });

  it("an APIService without a server is told as unavailable, and its requests as terminated", async () => {
    await client.post("/api/v1/namespaces/default/services", {
      metadata: { name: "down" },
      spec: { ports: [{ port: 443 }] },
    });
    const spec = {
      ...{ group: "down.example.com", version: "v1", groupPriorityMinimum: 1000, versionPriority: 10 },
      ...{ insecureSkipTLSVerify: true, service: { namespace: "default", name: "down" } },
    };
    const path = "/apis/apiregistration.k8s.io/v1/apiservices";
    const name = "v1.down.example.com";
    assert.equal((await client.post(path, { metadata: { name }, spec })).status, 201);
    while ((await client.get("/apis/down.example.com/v1")).status !== 503) {
      // Until the server has seen the APIService, nobody serves the group.
    }
    assert.equal((await client.get("/apis/down.example.com/v1/namespaces/default/things/a")).status, 503);
    let text = await scrape();
    const terminations = "apiserver_request_terminations_total";
    const common = { component: "aggregator", code: "503" };
    assert.equal(
      readingOf(text, terminations, { ...common, subresource: "/apis/down.example.com/v1", verb: "GET" }),
      1,
    );
    const labels = { ...common, group: "down.example.com", version: "v1", resource: "things", scope: "resource" };
    assert.equal(readingOf(text, terminations, { ...labels, verb: "GET" }), 1);
    while (seriesOf(text, "aggregator_unavailable_apiservice", { name }).length === 0) {
      text = await scrape();
    }
    assert.equal(readingOf(text, "aggregator_unavailable_apiservice", { name }), 1);
  });

  it("the age of client certificates is told, in a histogram that reaches from minutes to months", async () => {
    const text = await scrape();
    const bounds = [...text.matchAll(/^apiserver_client_certificate_expiration_seconds_bucket\{le="(.*)"\}/gm)];
    assert.deepEqual(
      bounds.map(([, bound]) => bound).filter((bound) => ["86400", "604800", "+Inf"].includes(String(bound))),
      ["86400", "604800", "+Inf"],
    );
    assert.match(text, /^apiserver_client_certificate_expiration_seconds_count [1-9]/m);
  });
});
