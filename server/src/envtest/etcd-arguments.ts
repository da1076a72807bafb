import { type ListenUrl, parseListenUrl } from "@gatehouse/apiserver/storage/etcd-face";
import { parseGoBoolean, parseMilliseconds } from "@gatehouse/envelopes/go";
import { readArguments } from "./read-arguments.js";

/** The part of etcd's command line that has an effect here. */
export interface EtcdArguments {
  readonly directory: string;
  /** The addresses for clients. */
  readonly urls: readonly ListenUrl[];
  readonly unsafeNoFsync: boolean;
  readonly limits: EtcdLimits;
  /** Sentences for the log on flags that have no effect, or another one. */
  readonly notes: readonly string[];
  /** Sentences on what cannot be used. */
  readonly problems: readonly string[];
}

/** The settings of etcd that clients can tell, where they are given. */
export interface EtcdLimits {
  readonly maxRequestBytes?: number;
  readonly maxTxnOperations?: number;
  readonly progressIntervalMs?: number;
}

/** The flags of these settings, and what reads their values. */
const limitFlags = new Map<string, readonly [keyof EtcdLimits, (text: string) => number | undefined]>([
  ["max-request-bytes", ["maxRequestBytes", parseCount]],
  ["max-txn-ops", ["maxTxnOperations", parseCount]],
  ["experimental-watch-progress-notify-interval", ["progressIntervalMs", parseMilliseconds]],
]);

const defaultDirectory = "default.etcd";
const defaultClientUrl = "http://localhost:2379";

/** Flags of a member's place in a cluster, its log and its files, which one member without peers does without. */
const withoutEffect = new Set([
  ...["advertise-client-urls", "listen-peer-urls", "initial-advertise-peer-urls", "initial-cluster"],
  ...["initial-cluster-state", "initial-cluster-token", "name", "wal-dir", "log-level", "logger", "log-outputs"],
  ...["snapshot-count", "quota-backend-bytes", "auto-compaction-retention", "auto-compaction-mode"],
  ...["heartbeat-interval", "election-timeout", "enable-v2", "listen-metrics-urls"],
]);

/** Reads the command line of etcd as test harnesses write it. */
export function readEtcdArguments(argv: readonly string[]): EtcdArguments {
  const notes: string[] = [];
  const problems: string[] = [];
  let directory = defaultDirectory;
  let clientUrls = defaultClientUrl;
  let unsafeNoFsync = false;
  const limits: { -readonly [Name in keyof EtcdLimits]: EtcdLimits[Name] } = {};
  const readLimit = (flag: string, text: string): void => {
    const [limit, parse] = limitFlags.get(flag) ?? [];
    const parsed = parse?.(text);
    if (limit !== undefined && parsed === undefined) {
      problems.push(`invalid value ${JSON.stringify(text)} for flag -${flag}: parse error`);
    } else if (limit !== undefined && parsed !== undefined && parsed > 0) {
      limits[limit] = parsed; // as for etcd, 0 asks for the default interval
    }
  };
  for (const { name, value } of readArguments(argv, (flag) => flag === "unsafe-no-fsync")) {
    if (name === "unsafe-no-fsync") {
      unsafeNoFsync = parseGoBoolean(value ?? "true") ?? false;
    } else if (name === "data-dir" && value !== undefined) {
      directory = value;
    } else if (name === "listen-client-urls" && value !== undefined) {
      clientUrls = value;
    } else if (limitFlags.has(name)) {
      readLimit(name, value ?? "");
    } else if (!withoutEffect.has(name)) {
      notes.push(`--${name} has no effect here`);
    }
  }
  const urls: ListenUrl[] = [];
  for (const text of clientUrls.split(",")) {
    const local = text.replace("//0.0.0.0:", "//127.0.0.1:");
    if (local !== text) {
      notes.push(`${text} is served at ${local} alone: without TLS, whoever reaches it has full access to the store`);
    }
    const url = parseListenUrl(local);
    if (typeof url === "string") {
      problems.push(`--listen-client-urls: ${url}`);
    } else if (url.isSecure) {
      problems.push(
        `--listen-client-urls: ${text} cannot be served: this etcd is for tests, over plain http on loopback`,
      );
    } else {
      urls.push(url);
    }
  }
  return { directory, urls, unsafeNoFsync, limits, notes, problems };
}

function parseCount(text: string): number | undefined {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}
