import { selectAdmissionPlugins } from "@gatehouse/apiserver/admission";
import { type AuditOptions, type AuditOutputType, resolveAudit } from "@gatehouse/apiserver/audit";
import type { RequestLimits } from "@gatehouse/apiserver/flow-control";
import type { StorageMediaType } from "@gatehouse/apiserver/forms";
import {
  type AuthorizationConfig,
  defaultWatchCaches,
  type EtcdConfig,
  etcdKeyPrefix,
  type FeatureGates,
  modesOf,
  type NumberRange,
  parseFeatureGates,
  parseRuntimeConfig,
  portRange,
  type RuntimeConfig,
  resolveAuthorization,
  resolveEtcd,
  resolveServingCertificate,
  resolveTls,
  resolveWatchCaches,
  type ServingCertificateFiles,
  type TlsConfig,
  type WatchCaches,
} from "@gatehouse/apiserver/options";
import type { StorageEncryption } from "@gatehouse/apiserver/server";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { FlagTable } from "@gatehouse/component-base/flags";
import type { MetricsPolicy } from "@gatehouse/component-base/metrics";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { type EtcdFaceConfig, resolveEtcdFace } from "../etcd-face/etcd-face-config.js";
import type { ServerFlagValues } from "../flags.js";
import { maxWorkers, parseWorkers } from "../workers/worker-count.js";
import { admissionPluginsWith, type ControlPlanePlugin } from "./admission-plugins.js";
import { type AggregationConfig, resolveAggregation } from "./aggregation.js";
import { type AuthenticationConfig, resolveAuthentication } from "./authentication.js";
import { validateControllerSelection } from "./controller-selection.js";
import { resolveEncryption } from "./encryption.js";
import { gatesWithoutKinds } from "./feature-gate-effects.js";
import { type NodeCallsConfig, resolveNodeCalls } from "./kubelet.js";
import { type ElectionTimes, resolveElectionTimes } from "./leader-election.js";
import { checkLogs } from "./logs.js";
import { resolveMetricsPolicy } from "./metrics.js";
import { type PeersConfig, resolvePeers, warningsAboutStorageVersions } from "./peers.js";
import { type ProfilingConfig, resolveProfiling } from "./profiling.js";
import { registeredVersions } from "./registered-versions.js";
import { resolveRequestLimits } from "./request-limits.js";
import { resolveServiceRanges, type ServiceRanges } from "./service-ranges.js";
import { resolveShutdown, type ShutdownConfig } from "./shutdown.js";
import { resolveWebHeaders, type WebHeaders } from "./web-headers.js";

/** The configuration of the API server: checked and frozen. Only `resolveServerConfig` makes one. */
export interface ServerConfig {
  readonly dataDirectory: string;
  /** True when no write of the embedded store is flushed. */
  readonly unsafeNoFsync: boolean;
  /** The addresses at which the store is served by the API of etcd; undefined for none. */
  readonly etcdFace: EtcdFaceConfig | undefined;
  /** The times of the election among servers that share a store. */
  readonly electionTimes: ElectionTimes;
  /** The configuration of the etcd store; undefined for the embedded one. */
  readonly etcd: EtcdConfig | undefined;
  readonly watchCaches: WatchCaches;
  /** True if the metrics tell the number of stored objects. */
  readonly countsObjects: boolean;
  /** The prefix of all keys in the store; ends with a slash. */
  readonly keyPrefix: string;
  /** The encryption of what is stored; undefined for none. */
  readonly encryption: StorageEncryption | undefined;
  /** The media type of built-in kinds in the store; undefined: that of the store's kind. */
  readonly storageMediaType: StorageMediaType | undefined;
  /** The interval in milliseconds between compactions; 0 to keep all history. */
  readonly compactionIntervalMs: number;
  readonly eventTtlSeconds: number;
  readonly deleteCollectionWorkers: number;
  readonly garbageCollection: boolean;
  readonly podTermination: "graceful" | "immediate";
  readonly bindAddress: string;
  readonly securePort: number;
  readonly certDirectory: string;
  readonly tlsFiles: ServingCertificateFiles | undefined;
  readonly tls: TlsConfig;
  readonly webHeaders: WebHeaders;
  readonly http2MaxStreamsPerConnection: number;
  /** The mean rate, in each direction, of connections that have changed to another protocol; 0 for no limit. */
  readonly maxConnectionBytesPerSecond: number;
  /** The configuration of calls to nodes. */
  readonly nodeCalls: NodeCallsConfig;
  readonly clientCaFile: string | undefined;
  readonly tokenAuthFile: string | undefined;
  readonly anonymousAuth: boolean;
  readonly authentication: AuthenticationConfig;
  readonly aggregation: AggregationConfig;
  /** The other API servers of the cluster; undefined where they are not called. */
  readonly peers: PeersConfig | undefined;
  readonly authorization: AuthorizationConfig;
  readonly runtimeConfig: RuntimeConfig;
  readonly featureGates: FeatureGates;
  /** True if no flag names a gate, a group or a version: the server serves what v1.29 serves by default. */
  readonly hasDefaultApi: boolean;
  /** True if containers may be privileged. */
  readonly allowPrivileged: boolean;
  readonly admission: AdmissionConfig;
  /** The configuration of auditing; undefined where nothing is recorded. */
  readonly audit: AuditOptions | undefined;
  /** The rules of what `/metrics` shows. */
  readonly metricsPolicy: MetricsPolicy;
  readonly profiling: ProfilingConfig;
  /** The path of a TracingConfiguration; undefined for no traces. */
  readonly tracingConfigFile: string | undefined;
  /** The limits of concurrent requests of all workers together. */
  readonly requestLimits: RequestLimits;
  /** The fraction of HTTP/2 requests after which the connection takes no more. */
  readonly goawayChance: number;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutMs: number;
  readonly advertiseAddress: string | undefined;
  /** The host, with a port or without, that clients are told instead of the advertised one. */
  readonly externalHost: string | undefined;
  /** The port on nodes of the `kubernetes` Service; 0 for none. */
  readonly kubernetesServiceNodePort: number;
  /** True if the files of /var/log are served. */
  readonly servesLogs: boolean;
  readonly shutdown: ShutdownConfig;
  /** The time in milliseconds after the start in which `/livez` does not wait for the work of the start. */
  readonly livezGraceMs: number;
  readonly serviceRanges: ServiceRanges;
  /** The range of the node ports of services. */
  readonly nodePortRange: NumberRange;
  readonly endpointReconciler: "master-count" | "lease" | "none";
  /** The number of API servers that the endpoint reconciler `master-count` expects. */
  readonly serverCount: number;
  readonly controllers: readonly string[];
  readonly rootCaFile: string | undefined;
  /** The authority that signs approved certificate requests; undefined for none. */
  readonly clusterSigning: ClusterSigningConfig | undefined;
  /** Warnings for the operator. */
  readonly warnings: readonly string[];
}

/** The configuration of admission. */
export interface AdmissionConfig {
  /** The plugins that are on, in the order in which they are asked. */
  readonly plugins: readonly ControlPlanePlugin[];
  /** Names of the plugins that are off: an AdmissionConfiguration may name them. */
  readonly otherPlugins: readonly string[];
  /** The path of an AdmissionConfiguration; undefined for none. */
  readonly configFile: string | undefined;
  readonly notReadyTolerationSeconds: number;
  readonly unreachableTolerationSeconds: number;
  /** True if the webhooks of a write share its time. */
  readonly webhookDeadlineBudget: boolean;
  /** True if webhooks that fail repeatedly are not called for a while. */
  readonly webhookBreaker: boolean;
  /** Number of writes without a webhook that are kept; 0 for none. */
  readonly webhookLedgerSize: number;
  /** True if audit annotations name the author of each change, and answers do so on request. */
  readonly blame: boolean;
}

/** The authority that signs approved requests. */
export interface ClusterSigningConfig {
  readonly certFile: string;
  readonly keyFile: string;
  readonly durationMs: number;
}

/** The additions of a site to the control plane. */
export interface SiteExtensions {
  /** Admission plugins besides those of v1.29; `--enable-admission-plugins` knows them. */
  readonly admissionPlugins?: readonly ControlPlanePlugin[];
  /** Sorts of audit outputs besides those of v1.29; their flags must be among those that are read. */
  readonly auditOutputs?: readonly AuditOutputType<FlagTable>[];
}

/** Checks the flags as a whole. Throws ConfigurationError with every problem at once, each with its flag. */
export function resolveServerConfig(flags: ServerFlagValues, site: SiteExtensions = {}): ServerConfig {
  const problems: Problem[] = [];
  const tlsFiles = resolveServingCertificate(flags, problems);
  const etcd = resolveEtcd(flags, problems);
  if (flags["unsafe-no-fsync"] && etcd !== undefined) {
    problems.push(problemAt("--unsafe-no-fsync", "is for the embedded store; etcd has a flag of the same name"));
  }
  const nodePortRange = resolveNodePortRange(flags["service-node-port-range"], problems);
  const { config: runtimeConfig, problems: runtimeProblems } = parseRuntimeConfig(
    flags["runtime-config"],
    registeredVersions,
  );
  const {
    gates,
    problems: gateProblems,
    warnings: gateWarnings,
  } = parseFeatureGates(flags["feature-gates"].join(","), gatesWithoutKinds(runtimeConfig));
  const serviceRanges = resolveServiceRanges(flags, !gates.enabled("MultiCIDRServiceAllocator"), problems);
  const warnings = [...gateWarnings];
  if (flags["unsafe-no-fsync"]) {
    warnings.push("--unsafe-no-fsync: no write is flushed to disk; the data may be damaged when the machine stops");
  }
  problems.push(...gateProblems.map((text) => problemAt("--feature-gates", text)));
  problems.push(...runtimeProblems.map((text) => problemAt("--runtime-config", text)));
  warnings.push(...warningsAboutStorageVersions(gates, runtimeConfig));
  if (flags["etcd-prefix"].length > 200) {
    problems.push(problemAt("--etcd-prefix", "must have at most 200 characters"));
  }
  const tls = resolveTls(flags, problems, warnings);
  const webHeaders = resolveWebHeaders(flags, problems);
  checkLogs(flags, gates, problems);
  checkServiceNodePort(flags["kubernetes-service-node-port"], nodePortRange, problems);
  const encryption = resolveEncryption(flags, problems);
  const authorization = resolveAuthorization(flags, gates, problems);
  const authentication = resolveAuthentication(flags, gates, problems);
  const aggregation = resolveAggregation(flags, problems);
  const peers = resolvePeers(flags, gates, aggregation, problems);
  const clusterSigning = resolveClusterSigning(flags, problems);
  problems.push(...validateControllerSelection(flags.controllers).map((text) => problemAt("--controllers", text)));
  const knownPlugins = admissionPluginsWith(site.admissionPlugins ?? []);
  const { plugins, problems: pluginProblems } = selectAdmissionPlugins(knownPlugins, {
    all: flags["admission-control"],
    enable: flags["enable-admission-plugins"],
    disable: flags["disable-admission-plugins"],
  });
  problems.push(...pluginProblems);
  if (parseWorkers(flags.workers) === undefined) {
    problems.push(problemAt("--workers", `must be auto, or a number from 1 to ${maxWorkers}`));
  }
  const etcdFace = resolveEtcdFace(flags, problems);
  const nodeCalls = resolveNodeCalls(flags, problems);
  const requestLimits = resolveRequestLimits(flags, problems);
  const electionTimes = resolveElectionTimes(flags, problems);
  const watchCaches = resolveWatchCaches(flags, defaultWatchCaches, problems);
  const audit = resolveAudit(flags, problems, warnings, site.auditOutputs);
  if (flags["tracing-config-file"] !== undefined && !gates.enabled("APIServerTracing")) {
    problems.push(
      problemAt(
        "--tracing-config-file",
        "APIServerTracing feature is not enabled, but tracing config file was provided",
      ),
    );
  }
  const metricsPolicy = resolveMetricsPolicy(flags, problems, warnings);
  if (problems.length > 0 || serviceRanges === undefined || nodePortRange === undefined) {
    throw new ConfigurationError("flags", problems);
  }
  return Object.freeze({
    dataDirectory: flags["data-dir"],
    unsafeNoFsync: flags["unsafe-no-fsync"],
    etcdFace,
    electionTimes,
    etcd,
    watchCaches,
    countsObjects: flags["etcd-count-metric-poll-period"] > 0,
    keyPrefix: etcdKeyPrefix(flags["etcd-prefix"]),
    encryption,
    storageMediaType: flags["storage-media-type"] || undefined,
    compactionIntervalMs: flags["etcd-compaction-interval"],
    eventTtlSeconds: Math.ceil(flags["event-ttl"] / 1000),
    deleteCollectionWorkers: flags["delete-collection-workers"],
    garbageCollection: flags["enable-garbage-collector"],
    podTermination: flags["pod-termination"],
    bindAddress: flags["bind-address"],
    securePort: flags["secure-port"],
    certDirectory: flags["cert-dir"],
    tlsFiles,
    tls,
    webHeaders,
    http2MaxStreamsPerConnection: flags["http2-max-streams-per-connection"],
    maxConnectionBytesPerSecond: flags["max-connection-bytes-per-sec"],
    nodeCalls,
    clientCaFile: flags["client-ca-file"],
    tokenAuthFile: flags["token-auth-file"],
    // As in v1.29: who may do anything must at least be known.
    anonymousAuth: flags["anonymous-auth"] && !modesOf(flags).includes("AlwaysAllow"),
    authentication,
    aggregation,
    peers,
    authorization,
    runtimeConfig,
    featureGates: gates,
    hasDefaultApi: flags["feature-gates"].length === 0 && flags["runtime-config"].size === 0,
    allowPrivileged: flags["allow-privileged"],
    admission: {
      plugins,
      otherPlugins: knownPlugins.filter((plugin) => !plugins.includes(plugin)).map(({ name }) => name),
      configFile: flags["admission-control-config-file"],
      notReadyTolerationSeconds: flags["default-not-ready-toleration-seconds"],
      unreachableTolerationSeconds: flags["default-unreachable-toleration-seconds"],
      webhookDeadlineBudget: flags["admission-webhook-deadline-budget"],
      webhookBreaker: flags["admission-webhook-breaker"],
      webhookLedgerSize: flags["admission-webhook-ledger-size"],
      blame: flags["admission-blame"],
    },
    audit,
    metricsPolicy,
    profiling: resolveProfiling(flags, warnings),
    tracingConfigFile: flags["tracing-config-file"],
    requestLimits,
    goawayChance: flags["goaway-chance"],
    requestTimeoutMs: flags["request-timeout"],
    minRequestTimeoutMs: flags["min-request-timeout"] * 1000,
    advertiseAddress: flags["advertise-address"],
    externalHost: flags["external-hostname"].trim() || undefined,
    kubernetesServiceNodePort: flags["kubernetes-service-node-port"],
    servesLogs: flags["enable-logs-handler"],
    shutdown: resolveShutdown(flags),
    livezGraceMs: flags["livez-grace-period"],
    serviceRanges,
    nodePortRange,
    endpointReconciler: flags["endpoint-reconciler-type"],
    serverCount: flags["apiserver-count"],
    controllers: flags.controllers,
    rootCaFile: flags["root-ca-file"],
    clusterSigning,
    warnings,
  });
}

const defaultNodePortRange = "30000-32767";

function resolveClusterSigning(flags: ServerFlagValues, problems: Problem[]): ClusterSigningConfig | undefined {
  const certFile = flags["cluster-signing-cert-file"];
  const keyFile = flags["cluster-signing-key-file"];
  if (certFile !== undefined && keyFile !== undefined) {
    return { certFile, keyFile, durationMs: flags["cluster-signing-duration"] };
  }
  if (certFile !== undefined || keyFile !== undefined) {
    const missing = certFile === undefined ? "--cluster-signing-cert-file" : "--cluster-signing-key-file";
    problems.push(problemAt(missing, "must be given, too: an authority is a certificate and its key"));
  }
  return undefined;
}

/** Checks that the port of the `kubernetes` Service can be had. */
function checkServiceNodePort(port: number, range: NumberRange | undefined, problems: Problem[]): void {
  if (port > 0 && range !== undefined && (port < range.first || port >= range.first + range.size)) {
    const flag = "--kubernetes-service-node-port";
    problems.push(problemAt(flag, `kubernetes service node port range ${range.text} doesn't contain ${port}`));
  }
}

function resolveNodePortRange(text: string, problems: Problem[]): NumberRange | undefined {
  const range = portRange(text === "" || text === "0" ? defaultNodePortRange : text);
  if (range === undefined) {
    problems.push(
      problemAt("--service-node-port-range", `${JSON.stringify(text)} is not a range of ports from 1 to 65535`),
    );
  }
  return range;
}
