import type { JsonObject } from "@gatehouse/envelopes/json";
import { type Act, patch, post, put } from "./acts.js";

const group = "rbac.authorization.k8s.io";
const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

const rule = (verbs: string, apiGroup: string, resources: string, names?: string): JsonObject => ({
  verbs: verbs.split(" "),
  apiGroups: [apiGroup],
  resources: resources.split(" "),
  ...(names === undefined ? {} : { resourceNames: names.split(" ") }),
});

/** A master gives a player a role of these rules, everywhere. */
const grant = (player: string, name: string, ...rules: JsonObject[]): Act[] => [
  post("master", `/apis/${group}/v1/clusterroles`, { metadata: { name }, rules }),
  post("master", `/apis/${group}/v1/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: group, kind: "ClusterRole", name },
    subjects: [{ apiGroup: group, kind: "User", name: player }],
  }),
];

const pem = (kind: string, base64: string): string =>
  Buffer.from(`-----BEGIN ${kind}-----\n${base64.match(/.{1,64}/g)?.join("\n")}\n-----END ${kind}-----\n`).toString(
    "base64",
  );

/** Requests for certificates: of node n1, of somebody, and of somebody who wants to be a master. */
const ofNode = pem(
  "CERTIFICATE REQUEST",
  "MIIBDTCBtAIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEp/UuThV8xMGKcrJeYi/CmzuEZbsizNN4Qf4RSadezDpiA8wWRnK4EBEnO36ko3OBK3MU+RHRKcycJ3WgW8mOhKAiMCAGCSqGSIb3DQEJDjETMBEwDwYDVR0RBAgwBocEwAACATAKBggqhkjOPQQDAgNIADBFAiAfHj5nTLIRMeaFlpxe1wJzbX5mWNf/j0OolB3EEqLx0wIhAKlEJ9bTWtW8IxsR83jLqqSnifrvCKAJL+i5Y0lm6Jmz",
);
const ofSomebody = pem(
  "CERTIFICATE REQUEST",
  "MIHNMHUCAQAwEzERMA8GA1UEAwwIc29tZWJvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASn9S5OFXzEwYpysl5iL8KbO4RluyLM03hB/hFJp17MOmIDzBZGcrgQESc7fqSjc4ErcxT5EdEpzJwndaBbyY6EoAAwCgYIKoZIzj0EAwIDSAAwRQIhAJDY+TnLcvAbPMKDSADzh3FiWJK3ZDKN2SxGyJxBBhb2AiBtMfrK7PkyUfUFWoDHlw4/yzhxNMuNQTX05pJ0lU7Vfw==",
);
const ofMaster = pem(
  "CERTIFICATE REQUEST",
  "MIHnMIGOAgEAMCwxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMREwDwYDVQQDDAhzb21lYm9keTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKf1Lk4VfMTBinKyXmIvwps7hGW7IszTeEH+EUmnXsw6YgPMFkZyuBARJzt+pKNzgStzFPkR0SnMnCd1oFvJjoSgADAKBggqhkjOPQQDAgNIADBFAiEA51/UyG6PCIZA7AIi02hoPp3OPNsSNfQf3eBs2orYVoECIFDb6YfGcWflQIxV4X/EXYnXfqprAZ2ylvMkS4PmAdI9",
);
/** Self-signed certificate of a user. */
const certificate = pem(
  "CERTIFICATE",
  "MIIBezCCASGgAwIBAgIUC+61d2mQX4qL42ma5Bxiq5u0fnowCgYIKoZIzj0EAwIwEzERMA8GA1UEAwwIc29tZWJvZHkwHhcNMjYxMTIyMTM1MTE3WhcNMzYxMTE5MTM1MTE3WjATMREwDwYDVQQDDAhzb21lYm9keTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKf1Lk4VfMTBinKyXmIvwps7hGW7IszTeEH+EUmnXsw6YgPMFkZyuBARJzt+pKNzgStzFPkR0SnMnCd1oFvJjoSjUzBRMB0GA1UdDgQWBBTxdWu6sUZY0gUxbBcj+KIHnb40FjAfBgNVHSMEGDAWgBTxdWu6sUZY0gUxbBcj+KIHnb40FjAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIDN7uC53it3D3COu5A2KZcv3mD78AaZw24wy6arZDaqRAiEArT4O6lsGfTlfjjSqOb5svwFKjEMZxKj1lBAXTSPDi6c=",
);

const ask = (by: string, name: string, signerName: string, request: string, ...usages: string[]): Act =>
  post(by, requests, {
    metadata: { name },
    spec: { request, signerName, usages: ["digital signature", ...usages] },
  });
const approve = (by: string, name: string): Act =>
  patch(by, `${requests}/${name}/approval`, "merge", {
    status: { conditions: [{ type: "Approved", status: "True", reason: "Test", message: "" }] },
  });
const sign = (by: string, name: string): Act =>
  patch(by, `${requests}/${name}/status`, "merge", { status: { certificate } });

const client = "kubernetes.io/kube-apiserver-client";

/** CertificateApproval, CertificateSigning, CertificateSubjectRestriction: what a role on a resource does not give. */
const certificates: readonly Act[] = [
  ask("approver", "serving", "kubernetes.io/kubelet-serving", ofNode, "server auth"),
  ask("approver", "client", client, ofSomebody, "client auth"),
  ask("approver", "masters", client, ofMaster, "client auth"),
  ask("approver", "masters-elsewhere", "example.com/any", ofMaster, "client auth"),
  ask("approver", "own", "example.com/own", ofSomebody),
  ask("approver", "others", "example.org/other", ofSomebody),
  approve("viewer", "serving"),
  approve("approver", "client"),
  approve("approver", "serving"),
  approve("approver", "own"),
  ...grant("approver", "test-approving-domain", rule("approve", "certificates.k8s.io", "signers", "example.com/*")),
  approve("approver", "own"),
  approve("approver", "others"),
  approve("master", "others"),
  // Somebody may write every status, and sign nothing.
  sign("reporter", "own"),
  patch("reporter", `${requests}/own/status`, "merge", { metadata: { labels: { a: "b" } } }),
  ...grant("reporter", "test-signing", rule("sign", "certificates.k8s.io", "signers", "example.com/own")),
  sign("reporter", "own"),
  sign("reporter", "others"),
];

const ownedBy = (...owners: JsonObject[]): JsonObject => ({ metadata: { ownerReferences: owners } });
const owner = (kind: string, name: string, blockOwnerDeletion: boolean): JsonObject => ({
  apiVersion: kind === "Deployment" ? "apps/v1" : "v1",
  kind,
  name,
  uid: "3b6b4b0c-0000-4000-8000-000000000000",
  blockOwnerDeletion,
});
/** Path for dry runs: the owners do not exist, and the garbage collector would delete their dependent. */
const configMap = "/api/v1/namespaces/a/configmaps/c1?dryRun=All";

/** OwnerReferencesPermissionEnforcement: to name an owner one must be able to delete, and to block it to finalize it. */
const owners: readonly Act[] = [
  patch("reporter", configMap, "merge", ownedBy(owner("Pod", "p1", false))),
  patch("reporter", configMap, "merge", { metadata: { labels: { a: "b" } } }),
  patch("editor", configMap, "merge", ownedBy(owner("Pod", "p1", false))),
  patch("editor", configMap, "merge", ownedBy(owner("Pod", "p1", true))),
  patch("editor", configMap, "merge", ownedBy(owner("Deployment", "d", true))),
  patch("editor", configMap, "merge", ownedBy(owner("Unheard", "u", true))),
  ...grant("editor", "test-finalizing", rule("update", "", "pods/finalizers")),
  patch("editor", configMap, "merge", ownedBy(owner("Pod", "p1", true))),
];

const node = "system:node:n1";
const mirror = (name: string, nodeName: string, more: JsonObject = {}): JsonObject => ({
  metadata: {
    name,
    annotations: { "kubernetes.io/config.mirror": "x" },
    ownerReferences: [{ apiVersion: "v1", kind: "Node", name: nodeName, uid: "u", controller: true }],
  },
  spec: { nodeName, containers: [{ name: "c", image: "example.com/i:1" }], ...more },
});

/** NodeRestriction: what a node may write of itself and of its pods. */
const nodes: readonly Act[] = [
  patch(node, "/api/v1/nodes/n1", "merge", { metadata: { labels: { "kubernetes.io/os": "linux", mine: "yes" } } }),
  patch(node, "/api/v1/nodes/n1", "merge", {
    metadata: { labels: { "node-restriction.kubernetes.io/a": "b", "other.kubernetes.io/c": "d" } },
  }),
  patch(node, "/api/v1/nodes/n1", "merge", { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } }),
  patch(node, "/api/v1/nodes/n1", "merge", { spec: { configSource: null } }),
  patch(node, "/api/v1/nodes/n2", "merge", { metadata: { labels: { a: "b" } } }),
  post(node, "/api/v1/nodes", { metadata: { name: "n3" } }),
  post(node, "/api/v1/nodes", { metadata: { name: "n1", labels: { "node-restriction.kubernetes.io/a": "b" } } }),
  post(node, "/api/v1/namespaces/a/pods", mirror("m0", "n1")),
  post(node, "/api/v1/namespaces/a/pods", mirror("m1", "n2")),
  post(node, "/api/v1/namespaces/a/pods", { ...mirror("m2", "n1"), metadata: { name: "m2" } }),
  post(node, "/api/v1/namespaces/a/pods", mirror("m3", "n1", { serviceAccountName: "robot" })),
  post(
    node,
    "/api/v1/namespaces/a/pods",
    mirror("m4", "n1", { volumes: [{ name: "s", secret: { secretName: "s1" } }] }),
  ),
  post(node, "/api/v1/namespaces/a/pods", mirror("m5", "n1", { volumes: [{ name: "c", configMap: { name: "c1" } }] })),
  patch(node, "/api/v1/namespaces/a/pods/p1/status", "merge", { status: { phase: "Running" } }),
  patch(node, "/api/v1/namespaces/a/pods/p1/status", "merge", { metadata: { labels: { a: "b" } } }),
  patch(node, "/api/v1/namespaces/a/pods/p2/status", "merge", { status: { phase: "Running" } }),
  post(node, "/api/v1/namespaces/a/pods/p2/eviction", {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: "p2" },
  }),
  post(node, "/api/v1/namespaces/a/pods/p1/eviction", {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: "p2" },
  }),
  post(node, "/api/v1/namespaces/a/serviceaccounts/robot/token", { spec: { audiences: ["x"] } }),
  post(node, "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", {
    metadata: { name: "n2" },
    spec: { holderIdentity: "n2" },
  }),
  post(node, "/apis/coordination.k8s.io/v1/namespaces/a/leases", { metadata: { name: "n1" } }),
  post(node, "/apis/storage.k8s.io/v1/csinodes", { metadata: { name: "n2" }, spec: { drivers: [] } }),
  put(node, "/apis/storage.k8s.io/v1/csinodes/n1", { metadata: { name: "n1" }, spec: { drivers: [] } }),
  post("system:node:", "/api/v1/namespaces/a/pods", mirror("m6", "")),
];

/** DenyServiceExternalIPs: nobody adds any, a master neither. */
const addresses: readonly Act[] = [
  post("master", "/api/v1/namespaces/a/services", {
    metadata: { name: "outside" },
    spec: { ports: [{ port: 80 }], externalIPs: ["192.0.2.1"] },
  }),
  post("master", "/api/v1/namespaces/a/services", { metadata: { name: "inside" }, spec: { ports: [{ port: 80 }] } }),
  patch("master", "/api/v1/namespaces/a/services/inside", "merge", { spec: { externalIPs: ["192.0.2.1"] } }),
];

/** Writes that roles allow, and plugins that ask the authorizer for more, or look at who writes, may not. */
export const guardedWrites: readonly Act[] = [...certificates, ...owners, ...nodes, ...addresses];
