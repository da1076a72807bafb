import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

const group = "Nodes";

/** The flags of calls to kubelets, named as kube-apiserver names them. */
export const kubeletFlags = {
  "kubelet-certificate-authority": {
    type: "path",
    group,
    help: "`file` with the authorities of kubelets' serving certificates. Followed as it is replaced. Without it any certificate is taken.",
  },
  "kubelet-client-certificate": {
    type: "path",
    group,
    help: "`file` with the client certificate for kubelets. Followed as it is replaced.",
  },
  "kubelet-client-key": {
    type: "path",
    group,
    help: "`file` with the private key of --kubelet-client-certificate.",
  },
  "kubelet-preferred-address-types": {
    type: "stringList",
    default: ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"],
    group,
    help: "`types` of node addresses by which kubelets are called, most wanted first.",
  },
  "kubelet-port": {
    type: "int",
    default: 10250,
    min: 0,
    max: 65535,
    group,
    deprecated: "kubelet-port is deprecated and will be removed.",
    help: "The port of kubelets whose nodes do not tell it.",
  },
  "kubelet-timeout": {
    type: "duration",
    default: "5s",
    min: 0,
    group,
    help: "How long a TCP connection to a kubelet may take to open. 0 means 30 seconds.",
  },
  "egress-selector-config-file": {
    type: "path",
    group,
    help: "`file` with an EgressSelectorConfiguration, which tells the proxies that nodes, pods and services are reached by.",
  },
} as const satisfies FlagTable;

type KubeletFlagValues = FlagValues<typeof kubeletFlags>;

/** The configuration of calls to nodes, and to the pods and services of the cluster. */
export interface NodeCallsConfig {
  /** The file of the authorities of kubelets; undefined if any certificate is taken. */
  readonly authorityFile: string | undefined;
  readonly clientFiles: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** The types of addresses, most wanted first. */
  readonly addressTypes: readonly string[];
  readonly port: number;
  readonly dialTimeoutMs: number;
  /** The file of an EgressSelectorConfiguration. */
  readonly egressFile: string | undefined;
}

const defaultDialTimeoutMs = 30_000;

/** Checks the flags of calls to nodes. */
export function resolveNodeCalls(flags: KubeletFlagValues, problems: Problem[]): NodeCallsConfig {
  const certFile = flags["kubelet-client-certificate"];
  const keyFile = flags["kubelet-client-key"];
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [given, missing] =
      certFile === undefined
        ? ["--kubelet-client-key", "--kubelet-client-certificate"]
        : ["--kubelet-client-certificate", "--kubelet-client-key"];
    problems.push(problemAt(missing, `must be given together with ${given}`));
  }
  return {
    authorityFile: flags["kubelet-certificate-authority"],
    clientFiles: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    addressTypes: flags["kubelet-preferred-address-types"],
    port: flags["kubelet-port"],
    dialTimeoutMs: flags["kubelet-timeout"] || defaultDialTimeoutMs,
    egressFile: flags["egress-selector-config-file"],
  };
}
