import type { Benchmark } from "../benchmark.js";
import { deploymentJson } from "../deployments.js";
import { reviewBenchmark } from "./review-benchmark.js";

const hookName = "no-latest-tag.bench.example.com";

/** Measures the cost of the toolkit around a decision. */
export const admissionBenchmark: Benchmark = reviewBenchmark({
  name: "admission",
  what: "validating review of a 10 KB Deployment",
  program: "gatehouse-admission",
  path: `/validating/${hookName}`,
  prepare: async () => ({
    configuration: {
      apiVersion: "config.gatehouse.dev/v1alpha1",
      kind: "AdmissionServerConfiguration",
      hooks: [{ name: hookName, library: { noLatestTag: {} } }],
    },
    body: reviewJson(),
    expected: '"allowed":true',
  }),
});

function reviewJson(): string {
  const object = JSON.parse(deploymentJson("bench", 0)) as object;
  return JSON.stringify({
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
      kind: { group: "apps", version: "v1", kind: "Deployment" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      requestKind: { group: "apps", version: "v1", kind: "Deployment" },
      requestResource: { group: "apps", version: "v1", resource: "deployments" },
      name: "bench",
      namespace: "bench",
      operation: "CREATE",
      userInfo: { username: "bench", groups: ["system:masters", "system:authenticated"] },
      object,
      oldObject: null,
      dryRun: false,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
    },
  });
}
