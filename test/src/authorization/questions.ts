import type { JsonObject } from "@gatehouse/envelopes/json";

/** A request that every player makes. What it would change is not changed. */
export interface Question {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject | string;
  readonly type?: string;
}

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const group = "rbac.authorization.k8s.io";
const access = "/apis/authorization.k8s.io/v1";
const dry = "dryRun=All";
const request = "Y2VydGlmaWNhdGU=";

const get = (path: string): Question => ({ name: `GET ${path}`, method: "GET", path });
const post = (name: string, path: string, body: JsonObject): Question => ({
  name,
  method: "POST",
  path: `${path}?${dry}`,
  body,
});
const patch = (name: string, path: string, type: string, body: JsonObject): Question => ({
  name,
  method: "PATCH",
  path: `${path}?${dry}&fieldManager=test&force=true`.replace("&force=true", type === "apply" ? "&force=true" : ""),
  body: JSON.stringify(body),
  type: type === "apply" ? "application/apply-patch+yaml" : "application/merge-patch+json",
});
const binding = (name: string): JsonObject => ({
  metadata: { name: "x" },
  roleRef: { apiGroup: group, kind: "ClusterRole", name },
  subjects: [{ kind: "User", apiGroup: group, name: "nobody" }],
});
const may = (name: string, resourceAttributes: JsonObject): Question =>
  post(`may I ${name}`, `${access}/selfsubjectaccessreviews`, { spec: { resourceAttributes } });

/** Twenty-eight, so that twenty players ask 560 times. */
export const questions: readonly Question[] = [
  get("/api/v1/namespaces/a/pods/p1"),
  get("/api/v1/namespaces/a/pods"),
  get("/api/v1/pods"),
  get("/api/v1/namespaces/b/pods/p1/status"),
  get("/api/v1/namespaces/a/secrets/s1"),
  get("/api/v1/namespaces/a/secrets?fieldSelector=metadata.name%3Ds2"),
  get("/api/v1/namespaces/a/configmaps/c1"),
  get("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1"),
  get("/metrics/slis"),
  get("/logs/x"),
  get("/version"),
  get("/api/v1/namespaces//pods"),
  get("/api/v1/namespaces/a%2Fpods/p1"),
  { name: "delete all pods of a", method: "DELETE", path: `/api/v1/namespaces/a/pods?${dry}` },
  post("make a pod on n1", "/api/v1/namespaces/a/pods", {
    metadata: { name: "x", annotations: { "kubernetes.io/config.mirror": "1", "kubernetes.io/config.source": "file" } },
    spec: { nodeName: "n1", containers: [{ name: "c", image: "example.com/i:1" }] },
  }),
  patch("label n1", "/api/v1/nodes/n1", "merge", { metadata: { labels: { a: "b" } } }),
  {
    name: "replace what is not there",
    method: "PUT",
    path: `/api/v1/namespaces/a/configmaps/new?${dry}`,
    body: { metadata: { name: "new" } },
  },
  patch("apply what is not there", "/api/v1/namespaces/a/configmaps/new", "apply", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "new" },
  }),
  patch("own what nobody may end", "/api/v1/namespaces/a/configmaps/c1", "merge", {
    metadata: {
      ownerReferences: [
        { apiVersion: "v1", kind: "Node", name: "n1", uid: "0", controller: false, blockOwnerDeletion: true },
      ],
    },
  }),
  post("make a role", `${rbac}/namespaces/a/roles`, {
    metadata: { name: "x" },
    rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods", "secrets"] }],
  }),
  post("make a cluster role", `${rbac}/clusterroles`, {
    metadata: { name: "x", labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
    rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
  }),
  post("bind admin in a", `${rbac}/namespaces/a/rolebindings`, binding("admin")),
  post("bind cluster-admin in a", `${rbac}/namespaces/a/rolebindings`, binding("cluster-admin")),
  post("bind cluster-admin", `${rbac}/clusterrolebindings`, binding("cluster-admin")),
  post("ask for a certificate", "/apis/certificates.k8s.io/v1/certificatesigningrequests", {
    metadata: { name: "x" },
    spec: { request, signerName: "kubernetes.io/kubelet-serving", usages: ["digital signature"] },
  }),
  may("get pod p1 in a", { verb: "get", resource: "pods", name: "p1", namespace: "a" }),
  may("impersonate", { verb: "impersonate", resource: "users", name: "master" }),
  post("may nobody get pods", `${access}/namespaces/a/localsubjectaccessreviews`, {
    spec: { user: "nobody", resourceAttributes: { verb: "get", resource: "pods", namespace: "a" } },
  }),
];
