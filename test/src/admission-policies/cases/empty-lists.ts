import type { CaseRequest, PolicyCase } from "../policy-case.js";

const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const role = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: { name },
  ...more,
});
const post = (path: string, body: unknown): CaseRequest => ({ method: "POST", path, body });

/** Expression that tells the state of a member: absent, null or its size. */
const told = (owner: string, member: string): string =>
  `'${member} ' + (!has(${owner}.${member}) ? 'absent' : ${owner}.${member} == null ? 'null' : string(size(${owner}.${member})))`;

const resources = { apiVersions: ["v1"], operations: ["CREATE", "UPDATE"] };
const warned = (
  name: string,
  apiGroup: string,
  resource: string,
  messageExpression: string,
): NonNullable<PolicyCase["policies"]> => [
  {
    name,
    spec: {
      matchConstraints: { resourceRules: [{ ...resources, apiGroups: [apiGroup], resources: [resource] }] },
      validations: [{ expression: "false", messageExpression }],
    },
    bindings: [{ validationActions: ["Warn"] }],
  },
];

/** Lists and maps that are sent empty: policies see them on the write itself, although the store keeps null. */
export const emptyLists: readonly PolicyCase[] = [
  {
    name: "an empty list that is always written is seen empty on the write, and null afterwards",
    policies: warned(
      "roles",
      "rbac.authorization.k8s.io",
      "roles",
      `${told("object", "rules")} + (request.operation == 'CREATE' ? '' : ', before: ' + ${told("oldObject", "rules")})`,
    ),
    requests: [
      post(roles, role("empty", { rules: [] })),
      post(roles, role("none", { rules: null })),
      post(roles, role("absent")),
      post(`${roles}?dryRun=All`, role("dry", { rules: [] })),
      { method: "PUT", path: `${roles}/empty`, body: role("empty", { rules: [] }) },
      { method: "PUT", path: `${roles}/empty`, body: role("empty", { rules: null }) },
      { method: "PATCH", path: `${roles}/empty`, body: { rules: [] } },
      { method: "PATCH", path: `${roles}/empty`, body: { metadata: { labels: { a: "b" } } } },
      { method: "PUT", path: `${roles}/empty?dryRun=All`, body: role("empty", { rules: [] }) },
    ],
  },
  {
    name: "an empty list inside of a member is seen empty",
    policies: warned("limits", "", "limitranges", told("object.spec", "limits")),
    requests: [
      post("/api/v1/namespaces/{ns}/limitranges", {
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "a" },
        spec: { limits: [] },
      }),
    ],
  },
  {
    name: "empty lists and maps that may be left out are absent",
    policies: warned(
      "maps",
      "",
      "configmaps",
      `${told("object", "data")} + ', ' + ${told("object.metadata", "labels")} + ', ' + ${told("object.metadata", "finalizers")}`,
    ),
    requests: [
      post("/api/v1/namespaces/{ns}/configmaps", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "a", labels: {}, finalizers: [] },
        data: {},
      }),
    ],
  },
];
