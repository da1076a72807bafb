import { defineFlags } from "@gatehouse/component-base/flags";

/** Flags of `gatehouse-credential-certificate`. */
export const certificateFlags = defineFlags({
  "bootstrap-kubeconfig": {
    type: "path",
    group: "Request",
    help: "`file` that says which API server is asked for the certificate, and as whom. Default: the first of $KUBECONFIG, or ~/.kube/config.",
  },
  "bootstrap-context": { type: "string", group: "Request", help: "Context of that file. Default: its current one." },
  user: { type: "string", default: "", group: "Certificate", help: "User of the certificate (common name). Required." },
  groups: { type: "stringList", group: "Certificate", help: "Groups of the user (organizations)." },
  duration: {
    type: "duration",
    default: "24h",
    min: 600_000,
    group: "Certificate",
    help: "How long the certificate is to hold, at least 10m. The signer may give less.",
  },
  "signer-name": {
    type: "string",
    default: "kubernetes.io/kube-apiserver-client",
    group: "Request",
    help: "Signer that is asked.",
  },
  "approval-timeout": {
    type: "duration",
    default: "5m",
    min: 1000,
    group: "Request",
    help: "Longest time to wait for somebody to approve the request. It stays, and is taken up again by the next run.",
  },
});
