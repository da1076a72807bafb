import type { Benchmark } from "../benchmark.js";
import { admissionBenchmark } from "./admission.js";
import { aggregationBenchmarks } from "./aggregation.js";
import { auditPolicyBenchmark } from "./audit-policy.js";
import { auditQueryBenchmark } from "./audit-query.js";
import { authorizationBenchmark } from "./authorization.js";
import { checkManifestsBenchmark } from "./check-manifests.js";
import { createBenchmark, createFloorBenchmark, createHttp2Benchmark } from "./create.js";
import { createAdmissionBenchmark } from "./create-admission.js";
import { createAuditBenchmarks } from "./create-audit.js";
import { createCustomBenchmark } from "./create-custom.js";
import { customReadyBenchmark } from "./custom-ready.js";
import { definitionsBenchmark } from "./definitions.js";
import { encryptedBenchmarks } from "./encrypted.js";
import { etcdBenchmarks } from "./etcd.js";
import { etcdFaceBenchmark } from "./etcd-face.js";
import { expressionBenchmarks } from "./expressions.js";
import { fairnessBenchmark, getUnderFlowControlBenchmark } from "./flow-control.js";
import { getBenchmarks } from "./get.js";
import { listBenchmark } from "./list.js";
import { logStreamBenchmark } from "./log-stream.js";
import { memoryBenchmark } from "./memory.js";
import { memoryUpdatesBenchmark } from "./memory-updates.js";
import { memoryWatchersBenchmarks } from "./memory-watchers.js";
import { peerBenchmarks } from "./peer.js";
import { policyBenchmarks } from "./policies.js";
import { getUnderRolesBenchmark, startUnderRolesBenchmark, verdictsBenchmark } from "./rbac.js";
import { pairSuiteBenchmark, readyPairBenchmark } from "./ready-pair.js";
import { restartBenchmark } from "./restart.js";
import { sinkDeliveryBenchmark } from "./sink-delivery.js";
import { sinkIntakeBenchmark } from "./sink-intake.js";
import { sinkIntakeIndexBenchmark } from "./sink-intake-index.js";
import { startUpBenchmark } from "./start-up.js";
import { testKitBenchmarks } from "./test-kit.js";
import { tokenBenchmark } from "./token.js";
import { tokenReviewBenchmark } from "./token-review.js";
import { upBenchmarks } from "./up.js";
import { applyBenchmark, strictBenchmark, updateLargeBenchmark } from "./update.js";
import { watchBenchmarks } from "./watch.js";
import { manyWebhooksBenchmark, webhookBenchmark } from "./webhooks.js";
import { workersBenchmarks } from "./workers.js";

/** Every benchmark, in the order of the report. */
export const benchmarks: readonly Benchmark[] = [
  ...getBenchmarks,
  getUnderFlowControlBenchmark,
  fairnessBenchmark,
  getUnderRolesBenchmark,
  verdictsBenchmark,
  tokenBenchmark,
  listBenchmark,
  logStreamBenchmark,
  createBenchmark,
  createFloorBenchmark,
  createHttp2Benchmark,
  createAdmissionBenchmark,
  ...createAuditBenchmarks,
  createCustomBenchmark,
  ...encryptedBenchmarks,
  webhookBenchmark,
  manyWebhooksBenchmark,
  updateLargeBenchmark,
  applyBenchmark,
  strictBenchmark,
  ...watchBenchmarks,
  ...aggregationBenchmarks,
  admissionBenchmark,
  auditPolicyBenchmark,
  authorizationBenchmark,
  tokenReviewBenchmark,
  sinkIntakeBenchmark,
  sinkDeliveryBenchmark,
  sinkIntakeIndexBenchmark,
  auditQueryBenchmark,
  startUpBenchmark,
  readyPairBenchmark,
  pairSuiteBenchmark,
  ...testKitBenchmarks,
  checkManifestsBenchmark,
  ...upBenchmarks,
  restartBenchmark,
  startUnderRolesBenchmark,
  memoryBenchmark,
  memoryUpdatesBenchmark,
  ...memoryWatchersBenchmarks,
  ...workersBenchmarks,
  customReadyBenchmark,
  definitionsBenchmark,
  ...expressionBenchmarks,
  ...policyBenchmarks,
  ...peerBenchmarks,
  ...etcdBenchmarks,
  etcdFaceBenchmark,
];
