import type { JsonObject } from "@gatehouse/envelopes/json";
import { type Act, patch as patchBy, post as postBy, put as putBy } from "./acts.js";
import { intruder } from "./cast.js";

const group = "rbac.authorization.k8s.io";
const rbac = `/apis/${group}/v1`;
const me = { kind: "User", apiGroup: group, name: intruder.name };

const rule = (verbs: string, apiGroup: string, resources: string, names?: string): JsonObject => ({
  verbs: verbs.split(" "),
  apiGroups: [apiGroup],
  resources: resources.split(" "),
  ...(names === undefined ? {} : { resourceNames: names.split(" ") }),
});
const typed = (kind: string, name: string, namespace: string | undefined, more: JsonObject): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const role = (name: string, ...rules: JsonObject[]): JsonObject => typed("ClusterRole", name, undefined, { rules });
const localRole = (name: string, ...rules: JsonObject[]): JsonObject => typed("Role", name, "a", { rules });
const bind = (name: string, roleName: string): JsonObject =>
  typed("ClusterRoleBinding", name, undefined, {
    roleRef: { apiGroup: group, kind: "ClusterRole", name: roleName },
    subjects: [me],
  });
const bindIn = (namespace: string, name: string, kind: string, roleName: string): JsonObject =>
  typed("RoleBinding", name, namespace, { roleRef: { apiGroup: group, kind, name: roleName }, subjects: [me] });

const post = (by: "master" | "intruder", resource: string, body: JsonObject): Act =>
  postBy(by, `${rbac}/${resource}`, body);
const put = (resource: string, body: JsonObject): Act => putBy("intruder", `${rbac}/${resource}`, body);
const patch = (resource: string, type: "json" | "merge" | "apply", body: unknown): Act =>
  patchBy("intruder", `${rbac}/${resource}`, type, body);

const podReader = rule("get", "", "pods");
const local = "namespaces/a/rolebindings";

/** Acts of a user who may write roles and bindings and little else, and tries all the ways to more permissions. */
export const acts: readonly Act[] = [
  post(
    "master",
    "clusterroles",
    role(
      "writer",
      rule("create update patch get delete", group, "roles clusterroles rolebindings clusterrolebindings"),
      rule("get list", "", "pods configmaps"),
    ),
  ),
  post("master", "clusterrolebindings", bind("intruder-writes", "writer")),
  // By every verb that writes a role.
  post("intruder", "clusterroles", role("e1", podReader)),
  post("intruder", "clusterroles", role("e2", rule("get list watch", "", "pods secrets"), rule("*", "*", "*"))),
  post("intruder", "clusterroles", role("e3", { verbs: ["get"], nonResourceURLs: ["/api/x", "/metrics"] })),
  post(
    "intruder",
    "namespaces/a/roles",
    localRole("r1", rule("get", "", "pods", "x"), rule("delete", "", "pods", "x y")),
  ),
  post("intruder", "namespaces/a/roles", { metadata: { generateName: "r-" }, rules: [rule("delete", "", "pods")] }),
  put("clusterroles/e1", role("e1", rule("get delete", "", "pods"))),
  put("clusterroles/new", role("new", rule("get delete", "", "pods"))),
  patch("clusterroles/e1", "json", [{ op: "add", path: "/rules/-", value: rule("get", "apps", "deployments") }]),
  patch("clusterroles/e1", "merge", { rules: [rule("get", "apps", "deployments")] }),
  patch("clusterroles/e1", "apply", role("e1", rule("create", "apps", "deployments"))),
  patch("clusterroles/other", "apply", role("other", rule("create", "apps", "deployments"))),
  patch("clusterroles/e1", "merge", { metadata: { finalizers: ["a.b/c"] } }),
  // By aggregation.
  post("intruder", "clusterroles", {
    ...role("e4"),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] },
  }),
  patch("clusterroles/e1", "merge", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }),
  patch("clusterroles/system:node", "merge", {
    metadata: { labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
  }),
  patch("clusterroles/view", "merge", { aggregationRule: null }),
  // By every verb that writes a binding.
  post("intruder", "clusterrolebindings", bind("b1", "cluster-admin")),
  post("intruder", "clusterrolebindings", bind("b2", "nothing")),
  post("intruder", local, bindIn("a", "b3", "Role", "nothing")),
  post("intruder", local, bindIn("a", "b4", "ClusterRole", "view")),
  post("intruder", local, bindIn("a", "b5", "ClusterRole", "e1")),
  put(`${local}/b6`, bindIn("a", "b6", "ClusterRole", "cluster-admin")),
  patch(`${local}/b7`, "apply", bindIn("a", "b7", "ClusterRole", "cluster-admin")),
  patch("clusterrolebindings/cluster-admin", "merge", { subjects: [me] }),
  patch("clusterrolebindings/cluster-admin", "json", [{ op: "add", path: "/subjects/-", value: me }]),
  patch("clusterrolebindings/cluster-admin", "merge", { metadata: { finalizers: ["a.b/c"] } }),
  // With the right to bind one role in one namespace.
  post("master", "clusterroles", role("binder", rule("bind", group, "clusterroles", "admin"))),
  post("master", local, bindIn("a", "intruder-binds", "ClusterRole", "binder")),
  post("intruder", "namespaces/b/rolebindings", bindIn("b", "c1", "ClusterRole", "admin")),
  post("intruder", "clusterrolebindings", bind("c2", "admin")),
  post("intruder", local, bindIn("a", "c3", "ClusterRole", "cluster-admin")),
  post("intruder", local, bindIn("a", "c4", "ClusterRole", "admin")),
  // With the right to escalate one role.
  post("master", "clusterroles", role("escalate-one", rule("escalate", group, "clusterroles", "e1"))),
  post("master", "clusterrolebindings", bind("intruder-escalates", "escalate-one")),
  post("intruder", "clusterroles", role("e5", rule("get", "example.com", "things"))),
  patch("namespaces/b/roles/x", "apply", typed("Role", "x", "b", { rules: [rule("get", "example.com", "things")] })),
  patch("clusterroles/e1", "json", [{ op: "add", path: "/rules/-", value: rule("get", "example.com", "things") }]),
  // With bindings to roles that do not exist.
  post("master", "clusterrolebindings", bind("intruder-lost", "gone")),
  post("master", local, bindIn("a", "intruder-lost", "Role", "gone")),
  post("intruder", "clusterroles", role("e6", rule("get", "example.org", "things"))),
  post("intruder", "namespaces/a/roles", localRole("r2", rule("get", "example.org", "things"))),
  // With bindings to what cannot be a role.
  post("intruder", "clusterrolebindings", {
    ...bind("c5", "r1"),
    roleRef: { apiGroup: group, kind: "Role", name: "r1" },
  }),
  post("intruder", "clusterrolebindings", bind("c6", "")),
  post("intruder", local, bindIn("a", "c7", "ClusterRole", "a/b")),
  post("intruder", local, bindIn("a", "c8", "Role", "..")),
];
