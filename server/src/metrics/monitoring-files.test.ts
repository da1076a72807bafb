import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { absentMetrics } from "./absent-metrics.js";
import { readKnownMetrics } from "./known-metrics.js";

const known = readKnownMetrics();
const fromOthers = /^(?:process_cpu_seconds_total|process_resident_memory_bytes|process_start_time_seconds|up)$/;

/** Metrics and labels in the alerts and dashboards of kube-prometheus' mixin that are about the API server. */
const ofMixin: Readonly<Record<string, readonly string[]>> = {
  apiserver_request_total: ["verb", "code", "resource", "subresource", "scope", "group", "version"],
  apiserver_request_sli_duration_seconds: ["verb", "scope", "resource", "subresource"],
  apiserver_request_duration_seconds: ["verb", "scope", "resource", "subresource"],
  apiserver_request_terminations_total: ["verb", "code", "component"],
  apiserver_client_certificate_expiration_seconds: [],
  apiserver_storage_objects: ["resource"],
  kubernetes_build_info: ["git_version"],
  rest_client_requests_total: ["code", "method", "host"],
  rest_client_request_duration_seconds: ["verb", "host"],
  workqueue_adds_total: ["name"],
  workqueue_depth: ["name"],
  workqueue_queue_duration_seconds: ["name"],
};

function assertExists(name: string): void {
  const family = known.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, "");
  assert.ok(known.has(family) && !(family in absentMetrics), `there is no metric ${name}`);
}

for (const file of ["prometheus-rules.yaml", "grafana-dashboard.json"]) {
  test(`every metric in deploy/monitoring/${file} exists`, () => {
    const text = readFileSync(new URL(`../../../deploy/monitoring/${file}`, import.meta.url), "utf8");
    const names = new Set(text.match(/\b(?:apiserver|workqueue|kubernetes|process|rest_client|etcd)_[a-z0-9_]+\b/g));
    assert.ok(names.size > 5);
    for (const name of names) {
      if (!fromOthers.test(name)) {
        assertExists(name);
      }
    }
  });
}

test("the metrics and labels that kube-prometheus' alerts about the API server use exist", () => {
  for (const [name, labels] of Object.entries(ofMixin)) {
    assertExists(name);
    const missing = labels.filter((label) => known.get(name)?.labels.includes(label) !== true);
    assert.deepEqual(missing, [], name);
  }
});

const hasPromtool = spawnSync("promtool", ["--version"]).error === undefined;

test("each alert in deploy/monitoring fires when it should", { skip: !hasPromtool && "promtool is absent" }, () => {
  const cases = new URL("../../../deploy/monitoring/prometheus-rules.test.yaml", import.meta.url);
  const { status, stderr } = spawnSync("promtool", ["test", "rules", cases.pathname], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});
