import type { FlagTable } from "@gatehouse/component-base/flags";

const group = "Auditing";

/** The flags of the output to a file, named as kube-apiserver names them. */
export const logOutputFlags = {
  "audit-log-path": {
    type: "path",
    group,
    help: "`file` to which events are written, one a line; '-' is standard output.",
  },
  "audit-log-format": {
    type: "string",
    default: "json",
    group,
    help: "json, or legacy for a line of text.",
  },
  "audit-log-maxage": {
    type: "int",
    default: 0,
    group,
    help: "Days for which old log files are kept; 0 for ever.",
  },
  "audit-log-maxbackup": {
    type: "int",
    default: 0,
    group,
    help: "Old log files that are kept; 0 for all.",
  },
  "audit-log-maxsize": {
    type: "int",
    default: 0,
    group,
    help: "Megabytes that the log file may have before it is put aside; 0 for 100.",
  },
  "audit-log-compress": {
    type: "bool",
    default: false,
    group,
    help: "Pack old log files with gzip.",
  },
  "audit-log-mode": {
    type: "string",
    default: "blocking",
    group,
    help: "How events are sent: batch lets requests go on at once; blocking has them wait for their events; blocking-strict has them fail when they cannot be recorded.",
  },
  "audit-log-batch-buffer-size": {
    type: "int",
    default: 10_000,
    group,
    help: "Events that may wait in batch mode; more are dropped.",
  },
  "audit-log-batch-max-size": {
    type: "int",
    default: 1,
    group,
    help: "Events that are sent together at most, in batch mode.",
  },
  "audit-log-batch-max-wait": {
    type: "duration",
    default: "0s",
    group,
    help: "How long an event waits for others to be sent with, in batch mode.",
  },
  "audit-log-batch-throttle-enable": {
    type: "bool",
    default: false,
    group,
    help: "Limit the batches per second.",
  },
  "audit-log-batch-throttle-qps": {
    type: "float",
    default: 0,
    group,
    help: "Batches per second in the long run.",
  },
  "audit-log-batch-throttle-burst": {
    type: "int",
    default: 0,
    group,
    help: "Batches that may be sent at once.",
  },
  "audit-log-truncate-enabled": {
    type: "bool",
    default: false,
    group,
    help: "Leave the bodies out of events that are too large, and drop those that still are.",
  },
  "audit-log-truncate-max-event-size": {
    type: "int",
    default: 102_400,
    group,
    help: "Bytes that an event may have.",
  },
  "audit-log-truncate-max-batch-size": {
    type: "int",
    default: 10_485_760,
    group,
    help: "Bytes that events sent together may have, about.",
  },
  "audit-log-version": {
    type: "string",
    default: "audit.k8s.io/v1",
    group,
    help: "The `version` in which events are written.",
  },
} as const satisfies FlagTable;
