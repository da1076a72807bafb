import { defineFlags } from "@gatehouse/component-base/flags";
import { benchmarks } from "./benchmarks/index.js";

export const benchFlags = defineFlags({
  only: {
    type: "stringList",
    choices: [...benchmarks.map(({ name }) => name), "stalls"],
    group: "Benchmarks",
    help: "`names` of the benchmarks to run; all when not given.",
  },
  stall: {
    type: "string",
    group: "Benchmarks",
    help: "A `text`: of the stalls, only those requests are sent whose names contain it.",
  },
  quick: {
    type: "bool",
    group: "Benchmarks",
    help: "Fewer, shorter rounds and fewer objects: shows that it works, gives no figures to quote.",
  },
  rounds: {
    type: "int",
    min: 1,
    max: 1000,
    group: "Benchmarks",
    help: "How often each side is measured. 7 when not given, 3 with --quick.",
  },
  "sink-seconds": {
    type: "int",
    default: 10,
    min: 1,
    group: "Benchmarks",
    help: "For how many `seconds` the audit sink takes events in and delivers them.",
  },
  "audit-events": {
    type: "int",
    min: 50_000,
    max: 100_000_000,
    default: 500_000,
    group: "Benchmarks",
    help: "Among how many audit events one user's are looked for; 1 GB of disk for each million.",
  },
  directory: {
    type: "path",
    group: "Benchmarks",
    help: "`directory` in which temporary stores are made; it says which disk is measured.",
  },
  peer: {
    type: "path",
    group: "Another server",
    help: "`kubeconfig` of another API server with an empty store, on this machine, to compare with.",
  },
  "peer-pids": {
    type: "stringList",
    group: "Another server",
    help: "`numbers` of all its processes, that of its store, too.",
  },
  "peer-etcd": {
    type: "string",
    group: "Another server",
    help: "`URL` of its etcd, on which both are compared; --peer-pids is then the API server alone.",
  },
  "peer-pair": {
    type: "path",
    group: "Another server",
    help: "`folder` with another kube-apiserver and etcd, whose starts are compared with those of ours.",
  },
  etcd: {
    type: "path",
    group: "Another server",
    help: "The `program` etcd, to measure Gatehouse on it.",
  },
  "expression-peer": {
    type: "path",
    group: "Another server",
    help: "`program` that evaluates CEL, a question and an answer in JSON on each line, to compare with.",
  },
  "server-node-options": {
    type: "stringList",
    group: "Profiling",
    help: "`options` for Gatehouse's node process, such as --cpu-prof.",
  },
});
