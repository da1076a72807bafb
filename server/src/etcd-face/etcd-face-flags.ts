import type { FlagTable } from "@gatehouse/component-base/flags";

const group = "Storage";

/** The flags of the etcd API that the embedded store is served by, named after etcd's own. */
export const etcdFaceFlags = {
  "listen-etcd-urls": {
    type: "stringList",
    group,
    help: "`URLs` to serve the embedded store on by the API of etcd v3, for etcdctl, backup tools or a kube-apiserver. Whoever reaches them has full access to the store. http is for loopback addresses only; https wants client certificates. Nothing is served when not given.",
  },
  "listen-etcd-cert-file": {
    type: "path",
    group,
    help: "`file` with the serving certificate of https URLs in --listen-etcd-urls, intermediates after it. Followed as it is replaced.",
  },
  "listen-etcd-key-file": {
    type: "path",
    group,
    help: "`file` with the private key of --listen-etcd-cert-file.",
  },
  "listen-etcd-trusted-ca-file": {
    type: "path",
    group,
    help: "`file` with the authorities of clients of https URLs in --listen-etcd-urls. Each client must show a certificate of one of them.",
  },
  "listen-etcd-max-request-bytes": {
    type: "int",
    default: 1.5 * 2 ** 20,
    min: 1024,
    max: 64 * 2 ** 20,
    group,
    help: "Most bytes of keys and values that a request at --listen-etcd-urls may write.",
  },
  "listen-etcd-max-txn-ops": {
    type: "int",
    default: 128,
    min: 1,
    max: 65_536,
    group,
    help: "Most operations of a transaction at --listen-etcd-urls.",
  },
  "listen-etcd-watch-progress-notify-interval": {
    type: "duration",
    default: "10m0s",
    min: 100,
    group,
    help: "How often watches at --listen-etcd-urls that ask for it, as those of kube-apiserver do, hear how far they have come when nothing changes.",
  },
} as const satisfies FlagTable;
