import { auditFlags } from "@gatehouse/apiserver/audit";
import { storageMediaTypes } from "@gatehouse/apiserver/forms";
import {
  addressFlags,
  authenticationFlags,
  authorizationFlags,
  deletionFlags,
  etcdFlags,
  tlsFlags,
  watchCacheFlags,
} from "@gatehouse/apiserver/options";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { etcdFaceFlags } from "./etcd-face/etcd-face-flags.js";
import { aggregationFlags } from "./options/aggregation.js";
import { encryptionFlags } from "./options/encryption.js";
import { ignoredFlags } from "./options/ignored-flags.js";
import { kubeletFlags } from "./options/kubelet.js";
import { leaderElectionFlags } from "./options/leader-election.js";
import { logFlags } from "./options/logs.js";
import { metricsFlags } from "./options/metrics.js";
import { peerFlags } from "./options/peers.js";
import { profilingFlags } from "./options/profiling.js";
import { requestLimitFlags } from "./options/request-limits.js";
import { shutdownFlags } from "./options/shutdown.js";
import { webHeaderFlags } from "./options/web-headers.js";
import { serviceAccountFlags } from "./service-accounts/service-account-flags.js";

const generic = "Generic";
const storage = "Storage";
const secureServing = "Secure serving";
const apiEnablement = "API enablement";
const admission = "Admission";
const controllers = "Controllers";

/** Every flag of the server, named as kube-apiserver names it where it has one. */
export const serverFlags = defineFlags({
  // First, so that a definition below takes the place of one that only has a reason.
  ...ignoredFlags,
  "data-dir": {
    type: "path",
    default: "gatehouse-data",
    group: storage,
    help: "`directory` of the embedded store. It is made if it does not exist.",
  },
  "unsafe-no-fsync": {
    type: "bool",
    default: false,
    group: storage,
    help: "Flush no write of the embedded store, for tests that throw the data away: it may be damaged when the machine stops.",
  },
  ...etcdFaceFlags,
  ...etcdFlags,
  ...watchCacheFlags,
  "etcd-prefix": {
    type: "string",
    default: "/registry",
    group: storage,
    help: "The `prefix` of all keys in the store.",
  },
  "storage-media-type": {
    type: "string",
    default: "",
    choices: ["", ...storageMediaTypes],
    group: storage,
    help: "The media type in which objects of built-in kinds are stored. When empty, protobuf in etcd and JSON in the embedded store.",
  },
  "etcd-compaction-interval": {
    type: "duration",
    default: "5m0s",
    min: 0,
    group: storage,
    help: "How often history is forgotten; older resource versions get 410 Gone afterwards. 0 keeps history for ever.",
  },
  ...encryptionFlags,
  "event-ttl": {
    type: "duration",
    default: "1h0m0s",
    min: 0,
    group: storage,
    help: "How long Events are kept.",
  },
  ...deletionFlags,
  "enable-garbage-collector": {
    type: "bool",
    default: true,
    group: storage,
    help: "Deletions may ask for dependents to be deleted first or orphaned, and the garbage collector does so.",
  },
  "pod-termination": {
    type: "string",
    default: "graceful",
    choices: ["graceful", "immediate"],
    group: storage,
    help: "How deleted pods that have a node are removed. graceful: by their kubelet, after their grace period, as in Kubernetes. immediate: by this server, at once, for clusters without kubelets, where they would stay for ever.",
  },
  ...addressFlags,
  "secure-port": {
    type: "int",
    default: 6443,
    min: 0,
    max: 65535,
    group: secureServing,
    help: "The port to serve HTTPS on. 0 picks a free one.",
  },
  "cert-dir": {
    type: "path",
    default: "/var/run/kubernetes",
    group: secureServing,
    help: "The `directory` where certificates are made when --tls-cert-file and --tls-private-key-file are not given.",
  },
  ...tlsFlags,
  "http2-max-streams-per-connection": {
    type: "int",
    default: 0,
    min: 0,
    group: secureServing,
    help: "Streams that an HTTP/2 connection may have open. 0 means the default of the runtime.",
  },
  ...authenticationFlags,
  ...serviceAccountFlags,
  ...authorizationFlags,
  ...kubeletFlags,
  ...peerFlags,
  ...aggregationFlags,
  "admission-control": {
    type: "stringList",
    group: admission,
    deprecated:
      "Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.",
    help: "`names` of all admission plugins to run. Not together with the two flags that take its place.",
  },
  "enable-admission-plugins": {
    type: "stringList",
    group: admission,
    help: "`names` of admission plugins to run besides those that run by default. Their order does not count.",
  },
  "disable-admission-plugins": {
    type: "stringList",
    group: admission,
    help: "`names` of admission plugins not to run although they run by default.",
  },
  "admission-control-config-file": {
    type: "path",
    group: admission,
    help: "`file` with the configuration of admission plugins (AdmissionConfiguration).",
  },
  "default-not-ready-toleration-seconds": {
    type: "int",
    default: 300,
    min: 0,
    group: admission,
    help: "Seconds that a pod stays on a node that is not ready, unless it says how many itself.",
  },
  "default-unreachable-toleration-seconds": {
    type: "int",
    default: 300,
    min: 0,
    group: admission,
    help: "Seconds that a pod stays on a node that cannot be reached, unless it says how many itself.",
  },
  "admission-webhook-deadline-budget": {
    type: "bool",
    default: false,
    group: admission,
    help: "Share the time of a write among its webhooks, so that those that do not answer never time it out.",
  },
  "admission-webhook-breaker": {
    type: "bool",
    default: false,
    group: admission,
    help: "Do not call a webhook for ten seconds after five failures in a row; its failure policy decides meanwhile.",
  },
  "admission-webhook-ledger-size": {
    type: "int",
    default: 0,
    min: 0,
    max: 2000,
    group: admission,
    help: "How many writes to remember that went on though a webhook could not be asked; read at /gatehouse/failed-open.",
  },
  "admission-blame": {
    type: "bool",
    default: false,
    group: admission,
    help: "Tell in audit annotations, and in answers to requests with the header Gatehouse-Blame, which plugin or webhook changed which field.",
  },
  "runtime-config": {
    type: "keyValue",
    missingValue: "true",
    group: apiEnablement,
    help: "API versions and resources to turn on or off: apps/v1=true, apps/v1/deployments=false, api/all, api/ga, api/beta, api/alpha.",
  },
  "feature-gates": {
    type: "stringList",
    group: apiEnablement,
    help: "Features to turn on or off: `Name=true|false`, AllAlpha=true, AllBeta=false.",
  },
  "allow-privileged": {
    type: "bool",
    default: false,
    group: generic,
    help: "Let containers be privileged.",
  },
  "request-timeout": {
    type: "duration",
    default: "1m0s",
    min: 1,
    group: generic,
    help: "How long a request may take. Watches and other long-running requests have lifetimes of their own.",
  },
  "min-request-timeout": {
    type: "int",
    default: 1800,
    min: 0,
    max: 1_000_000,
    group: generic,
    help: "Seconds that a watch is kept open at least; each gets a random lifetime above it.",
  },
  ...webHeaderFlags,
  "external-hostname": {
    type: "string",
    default: "",
    group: generic,
    help: "The `host`, with a port or without, that discovery and the metadata of the issuer of tokens tell instead of --advertise-address.",
  },
  "advertise-address": {
    type: "ip",
    group: generic,
    help: "The `IP` address under which others reach this server; goes into the endpoints of the kubernetes Service. The bind address when it is a particular one, else that of a network interface.",
  },
  ...requestLimitFlags,
  ...shutdownFlags,
  "service-cluster-ip-range": {
    type: "string",
    default: "10.96.0.0/12",
    group: generic,
    help: "The `CIDR` of service addresses, or one of each IP family, the primary one first: `10.96.0.0/16,fd00::/108`. The first address belongs to the kubernetes Service.",
  },
  "service-node-port-range": {
    type: "string",
    default: "30000-32767",
    group: generic,
    help: "The `range` of ports on nodes for services of type NodePort and LoadBalancer, both ends included.",
  },
  "kubernetes-service-node-port": {
    type: "int",
    default: 0,
    min: 0,
    max: 65535,
    group: generic,
    help: "The `port` on nodes of the kubernetes Service, which is then of type NodePort. 0 makes it one of type ClusterIP.",
  },
  "endpoint-reconciler-type": {
    type: "string",
    default: "lease",
    choices: ["master-count", "lease", "none"],
    group: generic,
    help: "How the endpoints of the kubernetes Service are kept.",
  },
  workers: {
    type: "string",
    default: "1",
    group: generic,
    help: "The `number` of processes that share port and data, for machines with several cores; auto for the cores that other work leaves free. One of them runs the controllers.",
  },
  "worker-hang-timeout": {
    type: "duration",
    default: "30s",
    min: 1000,
    group: generic,
    help: "How long one of --workers may leave heartbeats unanswered before it is killed and replaced; a worker that starts has four times as long. When the parent of the workers sends none for twice as long, the server ends.",
  },
  "apiserver-count": {
    type: "int",
    default: 1,
    min: 1,
    max: 1000,
    group: generic,
    deprecated: "apiserver-count is deprecated and will be removed in a future version.",
    help: "How many API servers there are, for --endpoint-reconciler-type=master-count.",
  },
  ...auditFlags,
  controllers: {
    type: "stringList",
    default: ["*"],
    group: controllers,
    help: "Controllers to run: '*' for all, 'foo' turns foo on, '-foo' turns it off. 'kube-apiserver' and 'kube-controller-manager' stand for those that these programs run in v1.29: with 'kube-apiserver' alone this is only an API server.",
  },
  ...leaderElectionFlags,
  "cluster-signing-cert-file": {
    type: "path",
    group: controllers,
    help: "`file` with the authority that signs approved requests for certificates. One of --client-ca-file, so that those who get one can log in.",
  },
  "cluster-signing-key-file": {
    type: "path",
    group: controllers,
    help: "`file` with the private key of --cluster-signing-cert-file.",
  },
  "cluster-signing-duration": {
    type: "duration",
    default: "8760h0m0s",
    min: 600_000,
    group: controllers,
    help: "The longest that certificates which are signed are valid. Requests may ask for less.",
  },
  "root-ca-file": {
    type: "path",
    group: controllers,
    help: "`file` with the authority that goes into every namespace's kube-root-ca.crt. --client-ca-file when not given, else the serving certificate.",
  },
  ...logFlags,
  ...metricsFlags,
  ...profilingFlags,
  "tracing-config-file": {
    type: "path",
    group: "Traces",
    help: "`file` that says where traces of requests are sent, and how many requests are traced (TracingConfiguration).",
  },
});

/** The command line, read but not yet checked as a whole; `resolveServerConfig` does that. */
export type ServerFlagValues = FlagValues<typeof serverFlags>;
