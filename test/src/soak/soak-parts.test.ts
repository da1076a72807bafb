import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { soakParts } from "./soak-parts.js";

test("each part of the soak gets its count, and is a test file that is there", () => {
  const parts = soakParts(
    {
      "fuzz-requests": 7,
      "fuzz-definitions": 5,
      "conversion-answers": 4,
      "fuzz-seed": undefined,
      kills: 3,
      workers: 4,
      "history-requests": 11,
      "quorum-seconds": 13,
      "sink-kills": 2,
      "outage-minutes": 6,
      "audited-requests": 7,
      "audit-verdicts": 8,
      "fuzz-expressions": 10,
      "policy-objects": 6,
      objects: 9,
      "side-by-side-writes": 12,
      "etcd-histories": 13,
      "aggregated-requests": 6,
      "webhook-calls": 5,
      "stream-megabytes": 2,
      "other-kubectls": true,
      "go-hook": true,
      "real-definitions": true,
      "definitions-folder": "/definitions",
    },
    42,
  );
  assert.deepEqual(
    parts.map(({ name, env }) => [name, env]),
    [
      ["fuzz: 7 requests, seed 42", { FUZZ_REQUESTS: "7", FUZZ_SEED: "42" }],
      ["fuzz: 5 definitions, seed 42", { FUZZ_DEFINITIONS: "5", FUZZ_SEED: "42" }],
      [
        "fuzz: 4 answers of a conversion webhook, seed 42",
        { CONVERSION_ANSWERS: "4", CONVERSION_ALL: "1", FUZZ_SEED: "42" },
      ],
      ["crash: 3 kills", { CRASH_KILLS: "3" }],
      ["crash: 3 kills on etcd", { CRASH_KILLS: "3", CRASH_STORE: "etcd3" }],
      ["workers: 3 kills of 4", { CRASH_KILLS: "3", GATEHOUSE_WORKERS: "4" }],
      ["workers: 3 kills of 4 on etcd", { CRASH_KILLS: "3", CRASH_STORE: "etcd3", GATEHOUSE_WORKERS: "4" }],
      ["workers: spec/spec with 4", { GATEHOUSE_WORKERS: "4" }],
      ["workers: requests/two-servers with 4", { GATEHOUSE_WORKERS: "4" }],
      ["workers: requests/custom-definitions with 4", { GATEHOUSE_WORKERS: "4" }],
      ["workers: conformance/recorded-writes/recorded-writes with 4", { GATEHOUSE_WORKERS: "4" }],
      ["workers: admission-webhooks/better-than-v129 with 4", { GATEHOUSE_WORKERS: "4" }],
      ["linearizability: 11 requests, etcd", { HISTORY_REQUESTS: "11" }],
      ["linearizability: 11 requests, workers", { HISTORY_REQUESTS: "11" }],
      ["etcd: 13 s without its quorum", { QUORUM_SECONDS: "13" }],
      ["audit sink: 2 kills", { SINK_KILLS: "2" }],
      ["audit sink: away for 6 minutes", { OUTAGE_SECONDS: "360" }],
      ["audit sink: 7 requests of a kube-apiserver", { AUDITED_REQUESTS: "7" }],
      ["audit: 8 verdicts, seed 42", { AUDIT_POLICY_CASES: "8", AUDIT_POLICY_SEED: "42" }],
      ["expressions: 10 odd texts, seed 42", { FUZZ_EXPRESSIONS: "10", FUZZ_SEED: "42" }],
      ["expressions: 10 evaluated, seed 42", { FUZZ_EXPRESSIONS: "10", FUZZ_SEED: "42" }],
      ["policies: 6 objects, seed 42", { POLICY_OBJECTS: "6", FUZZ_SEED: "42" }],
      ["crash: 9 objects", { CRASH_OBJECTS: "9" }],
      ["etcd: 12 writes beside a kube-apiserver, seed 42", { SIDE_BY_SIDE_WRITES: "12", FUZZ_SEED: "42" }],
      ["etcd API: 13 histories beside etcd, seed 42", { SOAK_ETCD_HISTORIES: "13", FUZZ_SEED: "42" }],
      ["aggregation: 6 requests to servers that misbehave", { AGGREGATED_REQUESTS: "6" }],
      ["webhooks: 5 calls", { WEBHOOK_CALLS: "5" }],
      ["streams: 2 MiB through the server", { STREAM_BYTES: "2097152", KUBECTLS: "every" }],
      ["streams: 2 MiB through a kube-apiserver", { STREAM_BYTES: "2097152", KUBECTLS: "every", STREAMS_OF_PEER: "1" }],
      ...[
        ...["kubectl-auth", "kubectl-creates", "kubectl-definitions", "kubectl-deletes", "kubectl-identities"],
        ...["kubectl-mistakes", "kubectl-nodes", "kubectl-reads", "kubectl-writes"],
        ...["readme-tour", "oidc-login", "certificate-plugin"],
      ].map((file) => [`other versions of kubectl: ${file}`, { KUBECTLS: "others" }]),
      ["a hook written in Go", { GO_HOOK: "1" }],
      ["definitions of well-known projects", { REAL_DEFINITIONS: "1", DEFINITIONS_FOLDER: "/definitions" }],
    ],
  );
  assert.ok(parts.every(({ file }) => existsSync(file)));
});

test("a count of 0 leaves a part of the soak out, and a given seed is kept", () => {
  const parts = soakParts(
    {
      "fuzz-requests": 1,
      "fuzz-definitions": 0,
      "conversion-answers": 0,
      "fuzz-seed": 129,
      kills: 0,
      workers: 0,
      "history-requests": 0,
      "quorum-seconds": 0,
      "sink-kills": 0,
      "outage-minutes": 0,
      "audited-requests": 0,
      "audit-verdicts": 0,
      "fuzz-expressions": 0,
      "policy-objects": 0,
      objects: 0,
      "side-by-side-writes": 0,
      "etcd-histories": 0,
      "aggregated-requests": 0,
      "webhook-calls": 0,
      "stream-megabytes": 0,
      "other-kubectls": false,
      "go-hook": false,
      "real-definitions": false,
      "definitions-folder": "",
    },
    42,
  );
  assert.deepEqual(
    parts.map(({ name }) => name),
    ["fuzz: 1 requests, seed 129"],
  );
});
