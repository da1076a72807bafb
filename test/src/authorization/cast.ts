import type { JsonObject } from "@gatehouse/envelopes/json";

/** A user and the groups of the token; `system:anonymous` sends none. */
export interface Player {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Twenty users, most of whom have some rights that `stage` gives them. */
export const players: readonly Player[] = [
  { name: "master", groups: ["system:masters"] },
  { name: "system:anonymous", groups: [] },
  { name: "nobody", groups: [] },
  { name: "viewer", groups: [] },
  { name: "editor", groups: [] },
  { name: "owner", groups: ["owners"] },
  { name: "picker", groups: ["pickers"] },
  { name: "walker", groups: [] },
  { name: "orphan", groups: [] },
  { name: "system:node:n1", groups: ["system:nodes"] },
  { name: "system:node:n2", groups: ["system:nodes"] },
  { name: "system:node:", groups: ["system:nodes"] },
  { name: "system:kube-controller-manager", groups: [] },
  { name: "system:kube-scheduler", groups: [] },
  { name: "system:serviceaccount:a:robot", groups: ["system:serviceaccounts", "system:serviceaccounts:a"] },
  { name: "reporter", groups: [] },
  { name: "binder", groups: [] },
  { name: "escalator", groups: [] },
  { name: "approver", groups: [] },
  { name: 'o"dd <b>', groups: ["sp ace"] },
];

/** The user who tries to gain permissions. */
export const intruder: Player = { name: "intruder", groups: ["strangers"] };

/** Users with a token. */
export const known: readonly Player[] = [...players, intruder];

/** The token file that both servers are started with. */
export const tokenFile: string = known
  .map(({ name, groups }, index) => [`token-${index}`, name, "", ...(groups.length === 0 ? [] : [groups.join(",")])])
  .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
  .join("\n");

/** The header that says who asks; empty for who says nothing. */
export function credentials({ name }: Player): Record<string, string> {
  return name === "system:anonymous"
    ? {}
    : { authorization: `Bearer token-${known.findIndex((player) => player.name === name)}` };
}

const group = "rbac.authorization.k8s.io";
const rbac = `/apis/${group}/v1`;

const subject = (kind: string, name: string): JsonObject =>
  kind === "ServiceAccount" ? { kind, name, namespace: "a" } : { kind, name, apiGroup: group };
const rule = (verbs: string, apiGroup: string, resources: string, names?: string): JsonObject => ({
  verbs: verbs.split(" "),
  apiGroups: [apiGroup],
  resources: resources.split(" "),
  ...(names === undefined ? {} : { resourceNames: names.split(" ") }),
});
const role = (name: string, ...rules: JsonObject[]): readonly [string, JsonObject] => [
  `${rbac}/clusterroles`,
  { metadata: { name }, rules },
];
const everywhere = (name: string, ...subjects: JsonObject[]): readonly [string, JsonObject] => [
  `${rbac}/clusterrolebindings`,
  { metadata: { name: `test-${name}` }, roleRef: { apiGroup: group, kind: "ClusterRole", name }, subjects },
];
const within = (
  namespace: string,
  kind: string,
  name: string,
  ...subjects: JsonObject[]
): readonly [string, JsonObject] => [
  `${rbac}/namespaces/${namespace}/rolebindings`,
  { metadata: { name: `test-${name}` }, roleRef: { apiGroup: group, kind, name }, subjects },
];
const pod = (name: string, nodeName: string, secret: string): readonly [string, JsonObject] => [
  "/api/v1/namespaces/a/pods",
  {
    metadata: { name },
    spec: {
      nodeName,
      serviceAccountName: "robot",
      automountServiceAccountToken: false,
      containers: [{ name: "c", image: "example.com/i:1" }],
      volumes: [{ name: "s", secret: { secretName: secret } }],
    },
  },
];

/** Objects that the administrator creates first, in this order, each with its path. */
export const stage: readonly (readonly [string, JsonObject])[] = [
  ["/api/v1/namespaces", { metadata: { name: "a" } }],
  ["/api/v1/namespaces", { metadata: { name: "b" } }],
  ["/api/v1/nodes", { metadata: { name: "n1" } }],
  ["/api/v1/nodes", { metadata: { name: "n2" } }],
  ["/api/v1/namespaces/a/serviceaccounts", { metadata: { name: "robot" } }],
  ["/api/v1/namespaces/a/secrets", { metadata: { name: "s1" } }],
  ["/api/v1/namespaces/a/secrets", { metadata: { name: "s2" } }],
  ["/api/v1/namespaces/a/configmaps", { metadata: { name: "c1" } }],
  pod("p1", "n1", "s1"),
  pod("p2", "n2", "s2"),
  role("test-paths", { verbs: ["get"], nonResourceURLs: ["/metrics", "/logs/*"] }),
  role("test-statuses", rule("*", "*", "*/status")),
  role(
    "test-binding",
    rule("create", group, "rolebindings clusterrolebindings"),
    rule("bind", group, "clusterroles", "admin"),
  ),
  role(
    "test-escalating",
    rule("create update patch get", group, "roles clusterroles"),
    rule("escalate", group, "roles"),
  ),
  role(
    "test-approving",
    rule(
      "create get update patch",
      "certificates.k8s.io",
      "certificatesigningrequests certificatesigningrequests/approval",
    ),
    rule("approve", "certificates.k8s.io", "signers", "kubernetes.io/kubelet-serving"),
  ),
  role("test-writing", rule("get update patch", "", "configmaps pods")),
  [
    `${rbac}/namespaces/a/roles`,
    { metadata: { name: "test-picking" }, rules: [rule("get", "", "pods secrets", "p1 s1")] },
  ],
  everywhere("view", subject("User", "viewer")),
  everywhere("test-paths", subject("User", "walker")),
  everywhere("test-statuses", subject("User", "reporter")),
  everywhere("test-escalating", subject("User", "escalator")),
  everywhere("test-approving", subject("User", "approver")),
  everywhere("test-gone", subject("User", "orphan")),
  within("a", "ClusterRole", "edit", subject("User", "editor")),
  within("a", "ClusterRole", "admin", subject("Group", "owners")),
  within("a", "Role", "test-picking", subject("Group", "pickers"), subject("ServiceAccount", "robot")),
  within("a", "Role", "test-missing", subject("User", "orphan")),
  within("a", "ClusterRole", "test-binding", subject("User", "binder")),
  within("a", "ClusterRole", "test-writing", subject("User", "reporter"), subject("Group", "sp ace")),
];
