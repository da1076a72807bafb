import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { SoakFlagValues } from "./flags.js";

/** A test file of the suite, run with larger counts than `npm test` takes the time for. */
export interface SoakPart {
  readonly name: string;
  readonly file: string;
  /** Environment variables with the counts for the file. */
  readonly env: Readonly<Record<string, string>>;
  /** Set for a part that measures what others beside it would disturb. */
  readonly alone?: true;
}

const realDefinitions = "../real-definitions/real-definitions.test.js";

const manifestVerdicts = "../manifest-verdicts/manifest-verdicts.test.js";

const conversionAnswers = "../conversion-answers/conversion-answers.test.js";

const auditVerdicts = "../../../policies/dist/audit/evaluate.test.js";

const policyAgreement = "../../../webhooks/dist/toolkit/expressions/agreement.test.js";

const oddExpressions = "../../../policies/dist/cel/odd-expressions.test.js";

const generatedExpressions = "../../../policies/dist/cel/evaluation/generated-expressions.test.js";

/** The test files in which people use kubectl. */
const kubectlFiles = [
  ...["auth", "creates", "definitions", "deletes", "identities", "mistakes", "nodes", "reads", "writes"].map(
    (what) => `../end-to-end/kubectl-${what}.test.js`,
  ),
  ...["readme-tour", "oidc-login"].map((what) => `../end-to-end/${what}.test.js`),
  "../credentials/certificate-plugin.test.js",
];

const streams = "../nodes/kubectl-streams.test.js";

const streamsOfPeer = "../nodes/kubectl-streams-peer.test.js";

const stalls = "../../../bench/dist/stalls/stalls.test.js";

/** The test files in which packages are installed from tarballs. */
const projectFiles = ["new-project", "new-extension-project", "test-kit-projects"].map(
  (what) => `../end-to-end/${what}.test.js`,
);

const goHook = "../end-to-end/hooks-of-others.test.js";

const auditedServers = "../audit-sink/api-servers.test.js";

const sinkOutage = "../audit-sink/outage.test.js";

const lostQuorum = "../etcd/lost-quorum.test.js";

const besideKubernetes = "../etcd/side-by-side.test.js";

const etcdHistories = "../etcd-face/differential.test.js";

const forksSideBySide = "../forks/forks-side-by-side.test.js";

const killedHarnesses = "../envtest/killed-harnesses.test.js";
const aggregationLeaks = "../aggregation/leaks.test.js";
const storesInPeer = "../conformance/store-in-front-peer.test.js";

const frontStoreCutOff = "../conformance/store-in-front-cut-off.test.js";

const webhookSoak = "../admission-webhooks/webhook-soak.test.js";

/** Returns the parts to run, in order. `drawnSeed` is used when no seed was given. */
export function soakParts(flags: SoakFlagValues, drawnSeed: number): readonly SoakPart[] {
  const seed = flags["fuzz-seed"] ?? drawnSeed;
  const requests = flags["fuzz-requests"];
  const definitions = flags["fuzz-definitions"];
  const answers = flags["conversion-answers"];
  const { kills, objects } = flags;
  const harnesses = flags["killed-harnesses"];
  const historyRequests = flags["history-requests"];
  const audited = flags["audited-requests"];
  const verdicts = flags["audit-verdicts"];
  const expressions = flags["fuzz-expressions"];
  const expressionCounts = { FUZZ_EXPRESSIONS: String(expressions), FUZZ_SEED: String(seed) };
  const sideBySide = flags["side-by-side-writes"];
  const policyObjects = flags["policy-objects"];
  const histories = flags["etcd-histories"];
  const aggregated = flags["aggregated-requests"];
  const frontStoreRounds = flags["front-store-rounds"];
  const megabytes = flags["stream-megabytes"];
  const streamCounts = { STREAM_BYTES: String(megabytes * 1024 * 1024), KUBECTLS: "every" };
  return [
    ...part(requests, `fuzz: ${requests} requests, seed ${seed}`, "../fuzz/fuzz.test.js", {
      FUZZ_REQUESTS: String(requests),
      FUZZ_SEED: String(seed),
    }),
    ...part(definitions, `fuzz: ${definitions} definitions, seed ${seed}`, "../fuzz/definitions.test.js", {
      FUZZ_DEFINITIONS: String(definitions),
      FUZZ_SEED: String(seed),
    }),
    ...part(answers, `fuzz: ${answers} answers of a conversion webhook, seed ${seed}`, conversionAnswers, {
      CONVERSION_ANSWERS: String(answers),
      CONVERSION_ALL: "1",
      FUZZ_SEED: String(seed),
    }),
    ...part(kills, `crash: ${kills} kills`, "../crash/kill-under-load.test.js", { CRASH_KILLS: String(kills) }),
    ...part(kills, `crash: ${kills} kills on etcd`, "../crash/kill-under-load.test.js", {
      CRASH_KILLS: String(kills),
      CRASH_STORE: "etcd3",
    }),
    ...withWorkers(flags.workers, kills),
    ...part(harnesses, `envtest: ${harnesses} killed harnesses, seed ${seed}`, killedHarnesses, {
      KILLED_HARNESSES: String(harnesses),
      FUZZ_SEED: String(seed),
    }),
    ...["etcd", "workers"].flatMap((system) =>
      part(
        historyRequests,
        `linearizability: ${historyRequests} requests, ${system}`,
        `../linearizability/${system}.test.js`,
        {
          HISTORY_REQUESTS: String(historyRequests),
        },
      ),
    ),
    ...part(flags.forks, `forks: ${flags.forks} side by side`, forksSideBySide, { FORKS: String(flags.forks) }),
    ...part(flags["quorum-seconds"], `etcd: ${flags["quorum-seconds"]} s without its quorum`, lostQuorum, {
      QUORUM_SECONDS: String(flags["quorum-seconds"]),
    }),
    ...part(flags["sink-kills"], `audit sink: ${flags["sink-kills"]} kills`, "../audit-sink/kill-under-load.test.js", {
      SINK_KILLS: String(flags["sink-kills"]),
    }),
    ...part(flags["outage-minutes"], `audit sink: away for ${flags["outage-minutes"]} minutes`, sinkOutage, {
      OUTAGE_SECONDS: String(flags["outage-minutes"] * 60),
    }),
    ...part(audited, `audit sink: ${audited} requests of a kube-apiserver`, auditedServers, {
      AUDITED_REQUESTS: String(audited),
    }),
    ...part(verdicts, `audit: ${verdicts} verdicts, seed ${seed}`, auditVerdicts, {
      AUDIT_POLICY_CASES: String(verdicts),
      AUDIT_POLICY_SEED: String(seed),
    }),
    ...part(expressions, `expressions: ${expressions} odd texts, seed ${seed}`, oddExpressions, expressionCounts),
    ...part(expressions, `expressions: ${expressions} evaluated, seed ${seed}`, generatedExpressions, expressionCounts),
    ...part(policyObjects, `policies: ${policyObjects} objects, seed ${seed}`, policyAgreement, {
      POLICY_OBJECTS: String(policyObjects),
      FUZZ_SEED: String(seed),
    }),
    ...part(objects, `crash: ${objects} objects`, "../crash/large-collection.test.js", {
      CRASH_OBJECTS: String(objects),
    }),
    ...part(sideBySide, `etcd: ${sideBySide} writes beside a kube-apiserver, seed ${seed}`, besideKubernetes, {
      SIDE_BY_SIDE_WRITES: String(sideBySide),
      FUZZ_SEED: String(seed),
    }),
    ...part(histories, `etcd API: ${histories} histories beside etcd, seed ${seed}`, etcdHistories, {
      SOAK_ETCD_HISTORIES: String(histories),
      FUZZ_SEED: String(seed),
    }),
    ...part(aggregated, `aggregation: ${aggregated} requests to servers that misbehave`, aggregationLeaks, {
      AGGREGATED_REQUESTS: String(aggregated),
    }),
    ...part(
      frontStoreRounds,
      `stores in front: ${frontStoreRounds} rounds of lost requests and answers`,
      frontStoreCutOff,
      {
        FRONT_STORE_ROUNDS: String(frontStoreRounds),
      },
    ),
    ...part(frontStoreRounds, "stores in front: in a kube-apiserver", storesInPeer, { STORES_OF_PEER: "1" }),
    ...part(flags["webhook-calls"], `webhooks: ${flags["webhook-calls"]} calls`, webhookSoak, {
      WEBHOOK_CALLS: String(flags["webhook-calls"]),
    }),
    ...part(megabytes, `streams: ${megabytes} MiB through the server`, streams, streamCounts),
    ...part(megabytes, `streams: ${megabytes} MiB through a kube-apiserver`, streamsOfPeer, {
      ...streamCounts,
      STREAMS_OF_PEER: "1",
    }),
    ...part(flags.stalls ? 1 : 0, "requests made to hold a server up", stalls, { STALLS: "1" }).map(
      (each): SoakPart => ({ ...each, alone: true }),
    ),
    ...(flags.projects ? projectFiles : []).flatMap((file) =>
      part(1, `projects of a user: ${basename(file, ".test.js")}`, file, { PROJECTS: "1" }),
    ),
    ...(flags["other-kubectls"] ? kubectlFiles : []).flatMap((file) =>
      part(1, `other versions of kubectl: ${basename(file, ".test.js")}`, file, { KUBECTLS: "others" }),
    ),
    ...part(flags["go-hook"] ? 1 : 0, "a hook written in Go", goHook, { GO_HOOK: "1" }),
    ...part(flags["real-definitions"] ? 1 : 0, "definitions of well-known projects", realDefinitions, {
      REAL_DEFINITIONS: "1",
      DEFINITIONS_FOLDER: flags["definitions-folder"],
    }),
    ...part(flags["manifest-suites"] ? 1 : 0, "verdicts on manifests of public tools", manifestVerdicts, {
      MANIFEST_SUITES: "1",
    }),
  ];
}

/** Suites that show what clients meet; those of one process are run with several. */
const suitesForWorkers = [
  "spec/spec",
  "requests/two-servers",
  "requests/custom-definitions",
  "conformance/recorded-writes/recorded-writes",
  "admission-webhooks/better-than-v129",
];

/** Returns the parts for servers with workers. */
function withWorkers(workers: number, kills: number): readonly SoakPart[] {
  const env = { GATEHOUSE_WORKERS: String(workers) };
  return [
    ...part(workers * kills, `workers: ${kills} kills of ${workers}`, "../crash/kill-under-load.test.js", {
      CRASH_KILLS: String(kills),
      ...env,
    }),
    ...part(workers * kills, `workers: ${kills} kills of ${workers} on etcd`, "../crash/kill-under-load.test.js", {
      CRASH_KILLS: String(kills),
      CRASH_STORE: "etcd3",
      ...env,
    }),
    ...suitesForWorkers.flatMap((suite) =>
      part(workers, `workers: ${suite} with ${workers}`, `../${suite}.test.js`, env),
    ),
  ];
}

function part(count: number, name: string, file: string, env: SoakPart["env"]): readonly SoakPart[] {
  return count === 0 ? [] : [{ name, file: fileURLToPath(new URL(file, import.meta.url)), env }];
}
