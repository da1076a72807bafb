import type { FlagTable } from "@gatehouse/component-base/flags";

const group = "Auditing";

/** The flags of the output to a webhook, named as kube-apiserver names them, except those of the spool. */
export const webhookOutputFlags = {
  "audit-webhook-config-file": {
    type: "path",
    group,
    help: "Kubeconfig `file` that says to which webhook events are sent, and who we are there.",
  },
  "audit-webhook-initial-backoff": {
    type: "duration",
    default: "10s",
    group,
    help: "How long to wait before a call that has failed is tried for the second time.",
  },
  "audit-webhook-batch-initial-backoff": {
    type: "duration",
    group,
    help: "The same.",
    hidden: true,
    deprecated: "use --audit-webhook-initial-backoff instead",
  },
  "audit-webhook-mode": {
    type: "string",
    group,
    help: "How events are sent: batch lets requests go on at once; blocking has them wait for their events; blocking-strict has them fail when they cannot be recorded; batch-strict, for a spool only, sends as batch does and lets no request go on whose events the spool cannot take. Default: batch; with a spool, batch-strict.",
  },
  "audit-webhook-batch-buffer-size": {
    type: "int",
    default: 10_000,
    group,
    help: "Events that may wait in batch mode; more are dropped.",
  },
  "audit-webhook-batch-max-size": {
    type: "int",
    default: 400,
    group,
    help: "Events that are sent together at most, in batch mode.",
  },
  "audit-webhook-batch-max-wait": {
    type: "duration",
    default: "30s",
    group,
    help: "How long an event waits for others to be sent with, in batch mode.",
  },
  "audit-webhook-batch-throttle-enable": {
    type: "bool",
    default: true,
    group,
    help: "Limit the batches per second.",
  },
  "audit-webhook-batch-throttle-qps": {
    type: "float",
    default: 10,
    group,
    help: "Batches per second in the long run.",
  },
  "audit-webhook-batch-throttle-burst": {
    type: "int",
    default: 15,
    group,
    help: "Batches that may be sent at once.",
  },
  "audit-webhook-truncate-enabled": {
    type: "bool",
    default: false,
    group,
    help: "Leave the bodies out of events that are too large, and drop those that still are.",
  },
  "audit-webhook-truncate-max-event-size": {
    type: "int",
    default: 102_400,
    group,
    help: "Bytes that an event may have.",
  },
  "audit-webhook-truncate-max-batch-size": {
    type: "int",
    default: 10_485_760,
    group,
    help: "Bytes that events sent together may have, about.",
  },
  "audit-webhook-version": {
    type: "string",
    default: "audit.k8s.io/v1",
    group,
    help: "The `version` in which events are written.",
  },
  "audit-webhook-spool-dir": {
    type: "path",
    group,
    help: "`directory` in which events are kept until the webhook has taken them, in order, whatever the mode. The strict modes lose none: while it is full, or cannot be written, requests that must be recorded are refused (503). The others keep events in memory then, and drop them when that is full, too. The blocking modes answer a request when the disk has its events; in the others they survive the end of the process at once, and a loss of power after a second. One server at a time uses it.",
  },
  "audit-webhook-spool-max-size": {
    type: "int",
    default: 1024,
    min: 1,
    max: 1_000_000,
    group,
    help: "Megabytes that the spool may hold. When it is full, new events are dropped; in the strict modes, requests that must be recorded are refused.",
  },
} as const satisfies FlagTable;
