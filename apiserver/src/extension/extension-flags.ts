import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { auditFlags } from "../audit/outputs/audit-flags.js";
import { authenticationFlags } from "../options/authentication-flags.js";
import { etcdFlags } from "../options/etcd.js";
import { addressFlags, deletionFlags } from "../options/general-flags.js";
import { tlsFlags } from "../options/tls.js";
import { watchCacheFlags } from "../options/watch-caches.js";
import { backingNames } from "./front-store/backing.js";

const storage = "Storage";
const secureServing = "Secure serving";
const authentication = "Authentication";
const authorization = "Authorization";
const front = "API server in front";
const admission = "Admission";
const general = "General";

const {
  "client-ca-file": clientCaFile,
  "requestheader-client-ca-file": proxyCaFile,
  "requestheader-allowed-names": allowedNames,
  "requestheader-username-headers": usernameHeaders,
  "requestheader-group-headers": groupHeaders,
  "requestheader-extra-headers-prefix": extraHeaders,
  "authentication-token-webhook-cache-ttl": tokenCacheTtl,
} = authenticationFlags;

/**
 * The flags of an extension API server: those of the recommended options of v1.29's library for such servers, with their
 * names and defaults, as far as they have an effect here; and `--data-dir` of the embedded store. Any other flag is refused.
 */
export const extensionFlags = defineFlags({
  "data-dir": {
    type: "path",
    default: "data",
    group: storage,
    help: "`directory` of the embedded store, which holds the objects unless --storage-backend or --etcd-servers says otherwise.",
  },
  ...etcdFlags,
  ...watchCacheFlags,
  "storage-backend": {
    ...etcdFlags["storage-backend"],
    choices: [...etcdFlags["storage-backend"].choices, ...backingNames],
    help: "The `store` of objects: lmdb, embedded, in --data-dir; etcd3, at --etcd-servers; configmaps or customresources, in ConfigMaps or Records of --storage-namespace in the API server in front. etcd3 when --etcd-servers is given, else lmdb.",
  },
  "storage-namespace": {
    type: "string",
    default: "",
    group: storage,
    help: "The `namespace` of the ConfigMaps or Records that hold the objects, of --storage-backend=configmaps or customresources. Who has --kubeconfig reads and writes them there.",
  },
  "etcd-servers-overrides": {
    ...etcdFlags["etcd-servers-overrides"],
    unsupported: "all objects of an extension API server are in one store",
  },
  "etcd-prefix": {
    type: "string",
    default: "",
    group: storage,
    help: "The `prefix` of all keys in the store; that of the program when empty.",
  },
  "etcd-compaction-interval": {
    type: "duration",
    default: "5m0s",
    min: 0,
    group: storage,
    help: "How often history is forgotten. 0 keeps it for ever.",
  },
  ...deletionFlags,
  "enable-garbage-collector": {
    type: "bool",
    default: true,
    group: storage,
    help: "Deletions may ask for dependents to be deleted first or orphaned, which the garbage collector in front does.",
  },
  ...addressFlags,
  "secure-port": {
    type: "int",
    default: 443,
    min: 0,
    max: 65_535,
    group: secureServing,
    help: "The port to serve HTTPS on. 0 picks a free one.",
  },
  "cert-dir": {
    type: "path",
    default: "apiserver.local.config/certificates",
    group: secureServing,
    help: "The `directory` where a certificate is made when --tls-cert-file and --tls-private-key-file are not given.",
  },
  ...tlsFlags,
  "http2-max-streams-per-connection": {
    type: "int",
    default: 1000,
    min: 0,
    group: secureServing,
    help: "Streams that an HTTP/2 connection may have open: a proxy in front sends the requests of many clients on one.",
  },
  "authentication-kubeconfig": {
    type: "path",
    group: authentication,
    help: "Kubeconfig `file` of the API server in front, which reviews tokens (TokenReview) and has the authentication configuration. The service account of the pod when not given.",
  },
  "authentication-skip-lookup": {
    type: "bool",
    default: false,
    group: authentication,
    help: "Do not read from the API server in front what other flags of authentication leave open.",
  },
  "authentication-tolerate-lookup-failure": {
    type: "bool",
    default: false,
    group: authentication,
    help: "Start although the authentication configuration cannot be read: until it can, certificates authenticate nobody.",
  },
  "authentication-token-webhook-cache-ttl": { ...tokenCacheTtl, default: "10s" },
  "client-ca-file": clientCaFile,
  "requestheader-client-ca-file": proxyCaFile,
  "requestheader-allowed-names": allowedNames,
  "requestheader-username-headers": { ...usernameHeaders, default: ["x-remote-user"] },
  "requestheader-group-headers": { ...groupHeaders, default: ["x-remote-group"] },
  "requestheader-extra-headers-prefix": { ...extraHeaders, default: ["x-remote-extra-"] },
  "authorization-kubeconfig": {
    type: "path",
    group: authorization,
    help: "Kubeconfig `file` of the API server in front, which reviews accesses (SubjectAccessReview). The service account of the pod when not given.",
  },
  "authorization-webhook-cache-authorized-ttl": {
    type: "duration",
    default: "10s",
    min: 0,
    group: authorization,
    help: "How long a review that allows is kept.",
  },
  "authorization-webhook-cache-unauthorized-ttl": {
    type: "duration",
    default: "10s",
    min: 0,
    group: authorization,
    help: "How long a review that does not allow is kept.",
  },
  "authorization-always-allow-paths": {
    type: "stringList",
    default: ["/healthz", "/readyz", "/livez"],
    group: authorization,
    help: "`paths` that everybody may read, with * at the end for all that begin so.",
  },
  kubeconfig: {
    type: "path",
    group: front,
    help: "Kubeconfig `file` of the API server in front, whose namespaces, webhooks and policies apply to what is written here. The service account of the pod when not given.",
  },
  "enable-admission-plugins": {
    type: "stringList",
    group: admission,
    help: "`names` of admission plugins to run besides those that run by default.",
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
  ...auditFlags,
  "feature-gates": {
    type: "stringList",
    group: general,
    help: "Features to turn on or off: `Name=true|false`, AllAlpha=true, AllBeta=false.",
  },
  profiling: {
    type: "bool",
    default: true,
    group: general,
    help: "Serve CPU and heap profiles of V8 at /debug/pprof/, in pprof's format.",
  },
  "debug-socket-path": {
    type: "path",
    group: general,
    help: "Path of a Unix `socket` at which profiles are served without authentication, to this user alone.",
  },
  "tracing-config-file": {
    type: "path",
    group: general,
    help: "`file` with a TracingConfiguration.",
  },
  v: {
    type: "int",
    shorthand: "v",
    default: 0,
    min: 0,
    max: 10,
    group: general,
    help: "Log verbosity. From 3 on, each request is a line.",
  },
  "logging-format": {
    type: "string",
    default: "text",
    choices: ["text", "json"],
    group: general,
    help: "Form of the log.",
  },
});

/** The values of `extensionFlags`. */
export type ExtensionFlagValues = FlagValues<typeof extensionFlags>;
