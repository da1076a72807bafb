import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RequestedAccess } from "../access/requested-access.js";
import type { AuthorizationRules, RbacObject } from "./authorization-rules.js";
import { compileAuthorizationRules } from "./compile-authorization-rules.js";
import { authorizationRulesProblems } from "./validate-authorization-rules.js";

const rbacGroup = "rbac.authorization.k8s.io";
const rule = (verbs: string[], resources: string[]) => ({ verbs, apiGroups: [""], resources });

function object(kind: RbacObject["kind"], name: string, content: object, metadata: object = {}): RbacObject {
  return { apiVersion: `${rbacGroup}/v1`, kind, metadata: { name, ...metadata }, ...content } as unknown as RbacObject;
}

const roleRef = (kind: string, name: string) => ({ apiGroup: rbacGroup, kind, name });
const user = (name: string) => ({ kind: "User", name });

const document: AuthorizationRules = {
  denials: [
    {
      name: "no-secrets",
      reason: "secrets are read by nobody",
      groups: ["system:authenticated"],
      verbs: ["get", "list", "watch"],
      apiGroups: [""],
      resources: ["secrets"],
    },
  ],
  rbac: [
    object("ClusterRole", "reader", { rules: [rule(["get"], ["pods", "secrets"])] }, { labels: { for: "all" } }),
    object("ClusterRole", "all", {
      rules: [],
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { for: "all" } }] },
    }),
    object("ClusterRoleBinding", "readers", { roleRef: roleRef("ClusterRole", "all"), subjects: [user("ann")] }),
    object("Role", "writer", { rules: [rule(["create"], ["pods"])] }, { namespace: "n" }),
    object(
      "RoleBinding",
      "writers",
      { roleRef: roleRef("Role", "writer"), subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "ci" }] },
      { namespace: "n" },
    ),
  ],
  abac: '# people\n{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"bob","namespace":"n","resource":"*","apiGroup":"*"}}\n',
};

function access(verb: string, resource: string, namespace = "n"): RequestedAccess {
  return { isResourceRequest: true, verb, group: "", resource, subresource: "", namespace, name: "", path: "" };
}

describe("Authorization rules", () => {
  const { decide } = compileAuthorizationRules(document);
  const rows: readonly [string, string, RequestedAccess, string, string][] = [
    [
      "allow by a cluster role that collects another's rules",
      "ann",
      access("get", "pods", "m"),
      "allowed",
      'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "all" to User "ann"',
    ],
    [
      "allow service accounts by a role",
      "system:serviceaccount:ci:robot",
      access("create", "pods"),
      "allowed",
      'RBAC: allowed by RoleBinding "writers/n" of Role "writer" to ServiceAccount "robot/ci"',
    ],
    ["have no opinion on what nothing fits", "ann", access("create", "pods"), "noOpinion", ""],
    ["allow by a line of ABAC", "bob", access("delete", "services"), "allowed", "ABAC: allowed by line 2"],
    [
      "deny what they also allow",
      "ann",
      access("get", "secrets"),
      "denied",
      'denied by "no-secrets": secrets are read by nobody',
    ],
  ];
  for (const [name, username, wanted, decision, reason] of rows) {
    test(name, () => {
      assert.deepEqual(authorizationRulesProblems(document), []);
      assert.deepEqual(decide({ username, groups: ["system:authenticated"] }, wanted), { decision, reason });
    });
  }

  test("cluster roles may collect in a circle", () => {
    const collects = (label: string) => ({
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: "" } }] },
    });
    const { decide } = compileAuthorizationRules({
      rbac: [
        object("ClusterRole", "a", collects("x"), { labels: { y: "" } }),
        object("ClusterRole", "b", collects("y"), { labels: { x: "" } }),
        object("ClusterRole", "c", { rules: [rule(["get"], ["pods"])] }, { labels: { x: "" } }),
        object("ClusterRoleBinding", "b", { roleRef: roleRef("ClusterRole", "b"), subjects: [user("ann")] }),
      ],
    });
    assert.equal(decide({ username: "ann", groups: [] }, access("get", "pods")).decision, "allowed");
  });

  test("everything that is wrong with them is told with its path", () => {
    const problems = authorizationRulesProblems({
      denials: [{ name: "", reason: "", users: ["a"], verbs: ["get"], nonResourceURLs: ["*"] }],
      rbac: [
        object("Role", "", { rules: [{ verbs: [] }, { verbs: ["get"], nonResourceURLs: ["/x"], resources: ["y"] }] }),
        object(
          "ClusterRole",
          "a",
          { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: "x", operator: "Is" }] }] } },
          { namespace: "n" },
        ),
        object("ClusterRole", "b", { rules: [] }),
        object("ClusterRole", "b", { rules: [] }),
        object(
          "RoleBinding",
          "c",
          { roleRef: roleRef("Role", "b"), subjects: [{ kind: "Users", name: "" }] },
          { namespace: "n" },
        ),
        object("ClusterRoleBinding", "d", {
          roleRef: { apiGroup: "x", kind: "Role", name: "b" },
          subjects: [
            { kind: "ServiceAccount", apiGroup: "x", name: "y" },
            { kind: "User", apiGroup: "x", name: "z" },
          ],
        }),
      ],
      abac: "{\n[]",
    });
    assert.deepEqual(
      problems.map(({ path, text }) => `${path}: ${text}`),
      [
        "denials[0].name: must not be empty",
        "rbac[0].metadata.name: is required",
        "rbac[0].metadata.namespace: is required for a Role",
        "rbac[0].rules[0].verbs: must not be empty",
        "rbac[0].rules[0].apiGroups: must not be empty",
        "rbac[0].rules[0].resources: must not be empty",
        "rbac[0].rules[1].nonResourceURLs: must not be there: such paths are in no namespace",
        "rbac[0].rules[1].nonResourceURLs: must not stand beside resources",
        "rbac[1].metadata.namespace: must not be there: a ClusterRole is in no namespace",
        'rbac[1].aggregationRule.clusterRoleSelectors[0]: "Is" is not a valid label selector operator',
        "rbac[3].metadata.name: is taken already",
        'rbac[4].roleRef.name: there is no Role "b" in this document',
        "rbac[4].subjects[0].name: must not be empty",
        "rbac[4].subjects[0].kind: must be one of User, Group, ServiceAccount",
        `rbac[5].roleRef.apiGroup: must be ${rbacGroup}`,
        "rbac[5].roleRef.kind: must be one of ClusterRole",
        "rbac[5].subjects[0].namespace: is required for a ServiceAccount",
        "rbac[5].subjects[0].apiGroup: must be empty for a ServiceAccount",
        `rbac[5].subjects[1].apiGroup: must be ${rbacGroup}`,
        "abac: line 1: unexpected end of JSON input",
        "abac: line 2: must be a JSON object",
      ],
    );
  });
});
