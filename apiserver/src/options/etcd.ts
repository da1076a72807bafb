import { posix } from "node:path";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { EtcdTransport } from "../storage/etcd/index.js";

const group = "Storage";

/** The flags of the etcd store, named as kube-apiserver names them. */
export const etcdFlags = {
  "storage-backend": {
    type: "string",
    default: "",
    choices: ["", "lmdb", "etcd3"],
    group,
    help: "The `store` of objects: lmdb, embedded, in --data-dir; etcd3, at --etcd-servers. etcd3 when --etcd-servers is given, else lmdb.",
  },
  "etcd-servers": {
    type: "stringList",
    group,
    help: "`URLs` of etcd servers (scheme://ip:port). Given, objects are stored in etcd.",
  },
  "etcd-servers-overrides": {
    type: "stringList",
    group,
    help: "Other etcd servers for some `resources`: group/resource#servers, where servers are URLs, semicolon separated. For kinds that are compiled in.",
  },
  "etcd-cafile": {
    type: "path",
    group,
    help: "`file` with authorities of the certificates of etcd servers. Followed as it is replaced.",
  },
  "etcd-certfile": {
    type: "path",
    group,
    help: "`file` with the certificate to show to etcd servers. Followed as it is replaced.",
  },
  "etcd-keyfile": {
    type: "path",
    group,
    help: "`file` with the private key of --etcd-certfile.",
  },
  "etcd-healthcheck-timeout": {
    type: "duration",
    default: "2s",
    min: 1,
    group,
    help: "How long the health check of etcd may take.",
  },
  "etcd-readycheck-timeout": {
    type: "duration",
    default: "2s",
    min: 1,
    group,
    help: "How long the readiness check of etcd may take.",
  },
  "etcd-count-metric-poll-period": {
    type: "duration",
    default: "1m0s",
    min: 0,
    group,
    help: "0 leaves the number of stored objects out of the metrics. Otherwise it is counted whenever they are read.",
  },
  "etcd-db-metric-poll-interval": {
    type: "duration",
    default: "30s",
    min: 0,
    group,
    help: "How often etcd servers are asked for the size of their databases, for the metrics. 0 for never.",
  },
  "lease-reuse-duration-seconds": {
    type: "int",
    default: 60,
    min: 0,
    max: 1_000_000,
    group,
    help: "Seconds for which an etcd lease is shared by the objects with a time to live that are written meanwhile.",
  },
} as const satisfies FlagTable;

/** The configuration of the etcd store. */
export interface EtcdConfig {
  readonly transport: EtcdTransport;
  /** The resources that other servers store. */
  readonly overrides: readonly EtcdOverride[];
  readonly healthTimeoutMs: number;
  readonly readinessTimeoutMs: number;
  /** Interval in milliseconds between questions for the size of databases; 0 for none. */
  readonly sizePollIntervalMs: number;
  readonly leaseReuseSeconds: number;
}

/** The servers of one resource. */
export interface EtcdOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/** The values of `etcdFlags`, of a program that may have more stores. */
type EtcdFlagValues = Omit<FlagValues<typeof etcdFlags>, "storage-backend"> & { readonly "storage-backend": string };

/** Checks the flags of etcd; returns undefined for the embedded store. */
export function resolveEtcd(flags: EtcdFlagValues, problems: Problem[]): EtcdConfig | undefined {
  const { "storage-backend": backend, "etcd-servers": servers } = flags;
  if (backend !== "etcd3" && (backend !== "" || servers.length === 0)) {
    refuseWithoutEtcd(flags, problems);
    return undefined;
  }
  if (servers.length === 0) {
    problems.push(problemAt("--etcd-servers", "must be specified"));
  }
  const [certFile, keyFile] = [flags["etcd-certfile"], flags["etcd-keyfile"]];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const missing = certFile === undefined ? "--etcd-certfile" : "--etcd-keyfile";
    problems.push(problemAt(missing, "must be given, too: --etcd-certfile and --etcd-keyfile belong together"));
  }
  const caFile = flags["etcd-cafile"];
  return {
    transport: {
      servers,
      ...(caFile === undefined ? {} : { caFile }),
      ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
    },
    overrides: flags["etcd-servers-overrides"].flatMap((text) => parseOverride(text, problems)),
    healthTimeoutMs: flags["etcd-healthcheck-timeout"],
    readinessTimeoutMs: flags["etcd-readycheck-timeout"],
    sizePollIntervalMs: flags["etcd-db-metric-poll-interval"],
    leaseReuseSeconds: flags["lease-reuse-duration-seconds"],
  };
}

/** Returns the prefix of keys that `--etcd-prefix` names: with a slash at both ends, whether the flag has them or not, as in v1.29. */
export function etcdKeyPrefix(flag: string): string {
  return `${posix.join("/", flag)}/`.replace(/\/+$/, "/");
}

/** Flags that say where and how etcd is reached: with the embedded store they would leave a false belief. */
const etcdOnly = ["etcd-servers", "etcd-servers-overrides", "etcd-cafile", "etcd-certfile", "etcd-keyfile"] as const;

function refuseWithoutEtcd(flags: EtcdFlagValues, problems: Problem[]): void {
  const backend = flags["storage-backend"] || "lmdb";
  for (const name of etcdOnly) {
    const value = flags[name];
    if (value !== undefined && value.length > 0) {
      problems.push(
        problemAt(`--${name}`, `is for the etcd store; give --etcd-servers, and not --storage-backend=${backend}`),
      );
    }
  }
}

function parseOverride(text: string, problems: Problem[]): EtcdOverride[] {
  const [name = "", list, ...rest] = text.split("#");
  const [apiGroup, resource, ...more] = name.split("/");
  if (list === undefined || apiGroup === undefined || resource === undefined || rest.length > 0 || more.length > 0) {
    const form = "group/resource#servers, where servers are URLs, semicolon separated";
    problems.push(problemAt("--etcd-servers-overrides", `invalid, must be of format: ${form}`));
    return [];
  }
  return [{ group: apiGroup, resource, servers: list.split(";") }];
}
