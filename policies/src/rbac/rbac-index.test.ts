import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RequestedAccess } from "../access/requested-access.js";
import { closestRules, nearRuleText } from "./closest-rules.js";
import { bindingSpecOf, policyRulesOf } from "./policy-rule.js";
import { RbacIndex } from "./rbac-index.js";

const ann = { username: "ann", groups: ["dev", "system:authenticated"] };

function access(verb: string, resource: string, more: Partial<RequestedAccess> = {}): RequestedAccess {
  const [plural = "", subresource = ""] = resource.split("/");
  const about = { isResourceRequest: true, verb, group: "", resource: plural, subresource };
  return { ...about, namespace: "n", name: "", path: "", ...more };
}

function path(verb: string, url: string): RequestedAccess {
  return { ...access(verb, ""), isResourceRequest: false, namespace: "", path: url };
}

function indexOf(
  roles: Record<string, readonly object[]>,
  bindings: Record<string, readonly [role: string, ...subjects: object[]]>,
): RbacIndex {
  const index = new RbacIndex();
  for (const [key, rules] of Object.entries(roles)) {
    const [namespace, name] = split(key);
    index.setRole(namespace, name, policyRulesOf({ rules }));
  }
  for (const [key, [role, ...subjects]] of Object.entries(bindings)) {
    const [namespace, name] = split(key);
    const [kind, roleName] = role.split(":");
    index.setBinding(bindingSpecOf({ roleRef: { kind, name: roleName }, subjects }, namespace, name));
  }
  return index;
}

function split(key: string): [string, string] {
  const [namespace = "", name = ""] = key.split("/");
  return [namespace, name];
}

const user = (name: string) => ({ kind: "User", name });
const group = (name: string) => ({ kind: "Group", name });
const account = (namespace: string, name: string) => ({ kind: "ServiceAccount", namespace, name });
const rule = (verbs: string, apiGroups: string, resources: string, resourceNames = "") => ({
  verbs: verbs.split(" "),
  apiGroups: apiGroups.split(","),
  resources: resources.split(" "),
  ...(resourceNames === "" ? {} : { resourceNames: resourceNames.split(" ") }),
});

describe("A rule of RBAC", () => {
  const rows: readonly [string, object, RequestedAccess, boolean][] = [
    ["allows its verb of its resource", rule("get", "", "pods"), access("get", "pods"), true],
    ["allows no other verb", rule("get", "", "pods"), access("list", "pods"), false],
    ["allows no other group", rule("get", "apps", "pods"), access("get", "pods"), false],
    ["allows everything with stars", rule("*", "*", "*"), access("x", "y/z", { group: "g" }), true],
    ["does not allow subresources with the resource", rule("get", "", "pods"), access("get", "pods/log"), false],
    ["allows a subresource it names", rule("get", "", "pods/log"), access("get", "pods/log"), true],
    ["allows a subresource of anything", rule("get", "*", "*/log"), access("get", "pods/log"), true],
    ["of anything allows no resource", rule("get", "*", "*/log"), access("get", "log"), false],
    ["allows a name it names", rule("get", "", "pods", "a b"), access("get", "pods", { name: "b" }), true],
    ["allows no other name", rule("get", "", "pods", "a"), access("get", "pods", { name: "b" }), false],
    ["with names allows nothing without one", rule("list", "", "pods", "a"), access("list", "pods"), false],
    ["allows a path", { verbs: ["get"], nonResourceURLs: ["/x"] }, path("get", "/x"), true],
    ["allows no longer path", { verbs: ["get"], nonResourceURLs: ["/x"] }, path("get", "/x/y"), false],
    ["allows what begins so with a star", { verbs: ["*"], nonResourceURLs: ["/x/*"] }, path("put", "/x/y/z"), true],
    [
      "with a star after the slash needs the slash",
      { verbs: ["*"], nonResourceURLs: ["/x/*"] },
      path("put", "/x"),
      false,
    ],
    ["takes several stars as one", { verbs: ["get"], nonResourceURLs: ["/x**"] }, path("get", "/xy"), true],
    ["for resources allows no path", rule("*", "*", "*"), path("get", "/x"), false],
    ["for paths allows no resource", { verbs: ["*"], nonResourceURLs: ["*"] }, access("get", "pods"), false],
  ];
  for (const [name, spec, wanted, expected] of rows) {
    test(name, () => {
      const index = indexOf({ "/r": [spec] }, { "/b": ["ClusterRole:r", user("ann")] });
      assert.equal(index.decide(ann, wanted).allowed, expected);
      // From what has been kept, too.
      assert.equal(index.decide(ann, wanted).allowed, expected);
    });
  }
});

describe("An index of RBAC", () => {
  const pods = [rule("get", "", "pods")];

  test("tells by which binding something is allowed, as v1.29 does", () => {
    const index = indexOf(
      { "/r": pods, "n/r": pods },
      {
        "/b": ["ClusterRole:r", user("ann"), group("dev")],
        "n/c": ["Role:r", group("ops")],
        "n/s": ["Role:r", account("", "robot")],
      },
    );
    const reasons = [
      ann,
      { username: "bob", groups: ["x", "dev"] },
      { username: "eve", groups: ["ops"] },
      { username: "system:serviceaccount:n:robot", groups: [] },
    ].map((who) => index.decide(who, access("get", "pods")).reason);
    assert.deepEqual(reasons, [
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "ann"',
      'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "dev"',
      'RBAC: allowed by RoleBinding "c/n" of Role "r" to Group "ops"',
      'RBAC: allowed by RoleBinding "s/n" of Role "r" to ServiceAccount "robot/n"',
    ]);
  });

  test("lets a binding in a namespace allow nothing elsewhere", () => {
    const index = indexOf({ "/r": pods }, { "n/b": ["ClusterRole:r", user("ann")] });
    const allowed = ["n", "m", ""].map((namespace) => index.decide(ann, access("get", "pods", { namespace })).allowed);
    assert.deepEqual(allowed, [true, false, false]);
  });

  test("tells of roles that do not exist, each once", () => {
    const index = indexOf(
      {},
      {
        "/a": ["ClusterRole:x", user("ann"), group("dev")],
        "n/b": ["Role:y", group("dev")],
        "n/c": ["ClusterRole:x", group("dev")],
      },
    );
    assert.equal(
      index.decide(ann, access("get", "pods")).reason,
      'RBAC: [clusterrole.rbac.authorization.k8s.io "x" not found, role.rbac.authorization.k8s.io "y" not found]',
    );
    assert.equal(
      index.decide(ann, access("get", "pods", { namespace: "" })).reason,
      'RBAC: clusterrole.rbac.authorization.k8s.io "x" not found',
    );
  });

  test("follows roles and bindings as they come and go, in any order", () => {
    const index = indexOf({}, { "/b": ["ClusterRole:r", group("dev")] });
    const states = [
      () => {},
      () => index.setRole("", "r", policyRulesOf({ rules: pods })),
      () => index.setRole("", "r", policyRulesOf({ rules: [rule("list", "", "pods")] })),
      () => index.setRole("", "r", policyRulesOf({ rules: pods })),
      () => index.deleteBinding("", "b"),
      () =>
        index.setBinding(
          bindingSpecOf({ roleRef: { kind: "ClusterRole", name: "r" }, subjects: [user("ann")] }, "", "b"),
        ),
      () => index.deleteRole("", "r"),
    ].map((change) => {
      change();
      return index.decide(ann, access("get", "pods")).allowed;
    });
    assert.deepEqual(states, [false, true, false, true, false, true, false]);
  });

  test("is not fooled by words that look like another question", () => {
    const index = indexOf({ "/r": [rule("get", "", "pods")] }, { "/b": ["ClusterRole:r", user("ann")] });
    const questions: readonly [string, string, string, string][] = [
      ["get", "", "pods", ""],
      ["getp", "", "ods", ""],
      ["get", "p", "ods", ""],
      ["ge", "t", "pods", ""],
      ["get", "", "pod", "s"],
    ];
    for (const order of [questions, questions.toReversed()]) {
      const allowed = order.filter(
        ([verb, group, resource, subresource]) =>
          index.decide(ann, access(verb, resource, { group, subresource })).allowed,
      );
      assert.deepEqual(allowed, [questions[0]]);
    }
  });

  test("tells what came closest to what is denied", () => {
    const index = indexOf(
      { "/r": [rule("get list", "", "pods"), rule("get", "", "secrets", "a")], "/s": [rule("*", "", "pods secrets")] },
      { "n/b": ["ClusterRole:r", user("ann")], "m/b": ["ClusterRole:s", group("dev")] },
    );
    const near = (wanted: RequestedAccess) => closestRules(index, ann, wanted, { limit: 2 }).map(nearRuleText);
    assert.deepEqual(near(access("delete", "pods")), [
      'RoleBinding "b/m" of ClusterRole "s" to Group "dev": rule {APIGroups:[""], Resources:["pods" "secrets"], Verbs:["*"]}, but it holds in the namespace "m" only',
      'RoleBinding "b/n" of ClusterRole "r" to User "ann": rule {APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}, but it has the verbs ["get" "list"], not "delete"',
    ]);
    assert.deepEqual(
      near(access("get", "secrets", { name: "b" }))[1],
      [
        'RoleBinding "b/n" of ClusterRole "r" to User "ann": rule {APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}, but it is for the names ["a"], not "b"',
      ][0],
    );
    assert.deepEqual(near(access("get", "services")), []);
  });

  test("takes as long with twenty times the bindings that do not concern the user", () => {
    const timeWith = (strangers: number): number => {
      const index = indexOf({ "/r": pods }, { "/b": ["ClusterRole:r", group("dev")] });
      for (let i = 0; i < strangers; i++) {
        index.setBinding(
          bindingSpecOf({ roleRef: { kind: "ClusterRole", name: "r" }, subjects: [user(`u${i}`)] }, "", `s${i}`),
        );
      }
      const started = performance.now();
      for (let i = 0; i < 50_000; i++) {
        index.decide(ann, access("get", "pods", { name: `p${i}` }));
      }
      return performance.now() - started;
    };
    timeWith(1000);
    assert.ok(timeWith(20_000) < 10 * timeWith(1000) + 50);
  });
});
