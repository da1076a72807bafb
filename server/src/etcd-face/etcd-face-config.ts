import { type EtcdFaceTls, type ListenUrl, parseListenUrl } from "@gatehouse/apiserver/storage/etcd-face";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { etcdFaceFlags } from "./etcd-face-flags.js";

/** The addresses at which the embedded store is served by the API of etcd, and the files of TLS. */
export interface EtcdFaceConfig {
  readonly urls: readonly ListenUrl[];
  readonly tls: EtcdFaceTls | undefined;
  readonly maxRequestBytes: number;
  readonly maxTxnOperations: number;
  readonly progressIntervalMs: number;
}

const files = {
  certFile: "listen-etcd-cert-file",
  keyFile: "listen-etcd-key-file",
  trustedCaFile: "listen-etcd-trusted-ca-file",
} as const;

/** Checks the flags together; adds to `problems`. Undefined when nothing is to be served. */
export function resolveEtcdFace(
  flags: FlagValues<typeof etcdFaceFlags>,
  problems: Problem[],
): EtcdFaceConfig | undefined {
  const urls: ListenUrl[] = [];
  for (const text of flags["listen-etcd-urls"]) {
    const url = parseListenUrl(text);
    if (typeof url === "string") {
      problems.push(problemAt("--listen-etcd-urls", url));
    } else {
      urls.push(url);
    }
  }
  const settings = {
    maxRequestBytes: flags["listen-etcd-max-request-bytes"],
    maxTxnOperations: flags["listen-etcd-max-txn-ops"],
    progressIntervalMs: flags["listen-etcd-watch-progress-notify-interval"],
  };
  const { certFile, keyFile, trustedCaFile } = files;
  const values = { certFile: flags[certFile], keyFile: flags[keyFile], trustedCaFile: flags[trustedCaFile] };
  if (!urls.some(({ isSecure }) => isSecure)) {
    for (const name of Object.values(files)) {
      if (flags[name] !== undefined && problems.length === 0) {
        problems.push(problemAt(`--${name}`, "is for https URLs in --listen-etcd-urls, and there is none"));
      }
    }
    return urls.length === 0 ? undefined : { urls, tls: undefined, ...settings };
  }
  for (const name of Object.values(files)) {
    if (flags[name] === undefined) {
      problems.push(problemAt(`--${name}`, "must be given for https URLs in --listen-etcd-urls"));
    }
  }
  return { urls, tls: values as EtcdFaceTls, ...settings };
}
