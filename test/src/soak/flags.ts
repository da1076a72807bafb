import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";

const group = "Soak";

/** The flags of `npm run soak`: how long each part goes on. 0 leaves a part out. */
export const soakFlags = defineFlags({
  "fuzz-requests": {
    type: "int",
    default: 300_000,
    min: 0,
    group,
    help: "The `number` of odd requests that are sent over HTTP/1.1, HTTP/2 and raw connections.",
  },
  "fuzz-definitions": {
    type: "int",
    default: 5000,
    min: 0,
    group,
    help: "The `number` of odd definitions of custom resources, with odd writes of instances of each.",
  },
  "conversion-answers": {
    type: "int",
    default: 2000,
    min: 0,
    group,
    help: "The `number` of odd answers of a conversion webhook, with four requests through each.",
  },
  "fuzz-seed": {
    type: "int",
    min: 0,
    group,
    help: "The `number` that the odd requests are made from; the same one makes the same requests. Drawn when not given.",
  },
  kills: {
    type: "int",
    default: 100,
    min: 0,
    group,
    help: "The `number` of times that the server is killed under load: with one process and with workers, on the embedded store and on etcd, which is killed, too.",
  },
  workers: {
    type: "int",
    default: 4,
    min: 0,
    max: 64,
    group,
    help: "The `number` of workers of the servers against which verbs, custom resources and webhooks are tested once more; they and their parent are killed as often as --kills says.",
  },
  "history-requests": {
    type: "int",
    default: 500_000,
    min: 0,
    group,
    help: "The `number` of requests in each of two histories that are checked for linearizability: of three servers on an etcd of three, and of four workers.",
  },
  "quorum-seconds": {
    type: "int",
    default: 60,
    min: 0,
    group,
    help: "The `number` of seconds that an etcd is without its quorum under load.",
  },
  "sink-kills": {
    type: "int",
    default: 50,
    min: 0,
    group,
    help: "The `number` of times that an audit sink and the one behind it are killed under load.",
  },
  "outage-minutes": {
    type: "int",
    default: 5,
    min: 0,
    group,
    help: "The `number` of minutes that an audit sink is away under load, in each of two modes of the server.",
  },
  "audited-requests": {
    type: "int",
    default: 10_000,
    min: 0,
    group,
    help: "The `number` of requests that a kube-apiserver sends the events of to a sink, in each of two modes.",
  },
  "audit-verdicts": {
    type: "int",
    default: 1_000_000,
    min: 0,
    group,
    help: "The `number` of events on which the server and the sink must come to the same verdict.",
  },
  "fuzz-expressions": {
    type: "int",
    default: 300_000,
    min: 0,
    group,
    help: "The `number` of odd texts that are compiled as expressions, and of generated expressions that are evaluated.",
  },
  "policy-objects": {
    type: "int",
    default: 1_000_000,
    min: 0,
    group,
    help: "The `number` of objects on which hooks made of expressions must agree with the policies that are printed of them.",
  },
  objects: {
    type: "int",
    default: 300_000,
    min: 0,
    max: 999_999,
    group,
    help: "The `number` of objects of the collection that is paged through while it is written to.",
  },
  "side-by-side-writes": {
    type: "int",
    default: 5000,
    min: 0,
    group,
    help: "The `number` of writes that a kube-apiserver and the server make in turns and at once on one etcd.",
  },
  "etcd-histories": {
    type: "int",
    default: 200,
    min: 0,
    group,
    help: "The `number` of random histories that the etcd API of the embedded store and a real etcd must answer alike. Skipped where there is no etcd.",
  },
  "webhook-calls": {
    type: "int",
    default: 10_000,
    min: 0,
    group,
    help: "The `number` of calls of an admission webhook whose certificate changes every second.",
  },
  "stream-megabytes": {
    type: "int",
    default: 1024,
    min: 0,
    group,
    help: "The `number` of mebibytes that every version of kubectl sends to a command in a pod of a stand-in node, and gets from one.",
  },
  "other-kubectls": {
    type: "bool",
    default: true,
    group,
    help: "Whether kubectl is tried in the versions that `npm test` leaves out, all but the oldest, the newest and 1.29.",
  },
  "go-hook": {
    type: "bool",
    default: true,
    group,
    help: "Whether a hook written in Go is compiled and called. Skipped where there is no Go.",
  },
  "real-definitions": {
    type: "bool",
    default: true,
    group,
    help: "Whether the definitions of well-known projects are downloaded and used. Skipped where there is no network.",
  },
  "manifest-suites": {
    type: "bool",
    default: true,
    group,
    help: "Whether the manifests that public tools are tested with are downloaded and judged. Needs Go and the network.",
  },
  "definitions-folder": {
    type: "string",
    default: "",
    group,
    help: "A `folder` of definitions to use instead of what would be downloaded: a folder of YAML files for each project.",
  },
});

/** The flags as they were given. */
export type SoakFlagValues = FlagValues<typeof soakFlags>;
