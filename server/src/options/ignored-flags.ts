import { defineFlags } from "@gatehouse/component-base/flags";

const group = "Without effect";
const noCloud = "this server calls no cloud provider";
const logAtOnce = "every line of the log is written at once";

/** Flags of kube-apiserver that are accepted and have nothing to act on here, each with the reason that is logged. */
export const ignoredFlags = defineFlags({
  "cloud-config": { type: "path", ...ignored(noCloud), deprecated: "will be removed in a future version" },
  "cloud-provider": {
    type: "string",
    default: "",
    choices: ["", "external"],
    ...ignored(noCloud),
    deprecated: "will be removed in a future version",
  },
  "cloud-provider-gce-l7lb-src-cidrs": {
    type: "stringList",
    default: ["130.211.0.0/22", "35.191.0.0/16"],
    ...ignored(noCloud),
  },
  "cloud-provider-gce-lb-src-cidrs": {
    type: "stringList",
    default: ["130.211.0.0/22", "209.85.152.0/22", "209.85.204.0/22", "35.191.0.0/16"],
    ...ignored(noCloud),
    deprecated: "This flag will be removed once the GCE Cloud Provider is removed from kube-apiserver",
  },
  "kubelet-read-only-port": {
    type: "int",
    default: 10255,
    min: 0,
    max: 65_535,
    ...ignored("kubelets are called at their secure port alone, as in v1.29"),
    deprecated: "kubelet-read-only-port is deprecated and will be removed.",
  },
  "log-flush-frequency": { type: "duration", default: "5s", ...ignored(logAtOnce) },
  "permit-address-sharing": {
    type: "bool",
    ...ignored("the port is always opened with SO_REUSEADDR, as Node opens every port on Unix"),
  },
  vmodule: { type: "keyValue", ...ignored("lines of the log come from no files of Go; use --v") },
});

/** The members of a flag that has no effect for a reason. */
function ignored(reason: string): {
  readonly group: string;
  readonly help: string;
  readonly ignored: string;
} {
  return { group, help: reason, ignored: reason };
}
