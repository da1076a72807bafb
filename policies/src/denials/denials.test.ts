import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { gatehouseauthorizationV1alpha1 } from "@gatehouse/envelopes/types";
import type { RequestedAccess } from "../access/requested-access.js";
import { denialProblems } from "./check-denials.js";
import { compileDenials } from "./compile-denials.js";

type AccessDenial = gatehouseauthorizationV1alpha1.AccessDenial;

const ann = { username: "ann@example.com", groups: ["dev", "system:authenticated"] };

function access(verb: string, resource: string, more: Partial<RequestedAccess> = {}): RequestedAccess {
  const [plural = "", subresource = ""] = resource.split("/");
  const about = { isResourceRequest: true, verb, group: "", resource: plural, subresource };
  return { ...about, namespace: "prod-1", name: "web", path: "", ...more };
}

const path = (verb: string, url: string): RequestedAccess => ({
  ...access(verb, "", { namespace: "", name: "" }),
  isResourceRequest: false,
  path: url,
});

const denial = (more: Partial<AccessDenial>): AccessDenial => ({
  name: "d",
  reason: "so it is",
  users: ["*"],
  verbs: ["delete"],
  apiGroups: [""],
  resources: ["pods"],
  // Denials of paths have neither.
  ...(more.nonResourceURLs === undefined ? {} : { apiGroups: [], resources: [] }),
  ...more,
});

describe("A denial", () => {
  const rows: readonly [string, Partial<AccessDenial>, RequestedAccess, boolean][] = [
    ["fits what it says", {}, access("delete", "pods"), true],
    ["fits no other verb", {}, access("get", "pods"), false],
    ["fits every verb with a star", { verbs: ["*"] }, access("impersonate", "pods"), true],
    ["fits no other group", {}, access("delete", "pods", { group: "apps" }), false],
    ["fits no subresource of its resource", {}, access("delete", "pods/log"), false],
    ["fits a subresource that it names", { resources: ["pods/exec"] }, access("delete", "pods/exec"), true],
    ["fits a subresource of anything", { resources: ["*/exec"] }, access("delete", "jobs/exec"), true],
    [
      "fits everything with stars",
      { apiGroups: ["*"], resources: ["*"] },
      access("delete", "a/b", { group: "g" }),
      true,
    ],
    ["fits no path when it speaks of resources", { resources: ["*"] }, path("delete", "/x"), false],
    ["fits a path", { nonResourceURLs: ["/metrics"] }, path("delete", "/metrics"), true],
    ["fits paths below one", { nonResourceURLs: ["/debug/*"] }, path("delete", "/debug/x"), true],
    ["fits no resource when it speaks of paths", { nonResourceURLs: ["*"] }, access("delete", "pods"), false],
    ["fits a user", { users: ["ann@example.com"] }, access("delete", "pods"), true],
    ["fits a pattern of users", { users: ["*@example.com"] }, access("delete", "pods"), true],
    ["fits nobody else", { users: ["*@example.org"] }, access("delete", "pods"), false],
    ["fits a group", { users: [], groups: ["dev"] }, access("delete", "pods"), true],
    ["fits a user or a group", { users: ["bob"], groups: ["de*"] }, access("delete", "pods"), true],
    ["fits a namespace", { namespaces: ["prod-*"] }, access("delete", "pods"), true],
    ["fits no other namespace", { namespaces: ["lab-*"] }, access("delete", "pods"), false],
    [
      "fits nothing outside of namespaces when it names some",
      { namespaces: ["*"] },
      access("delete", "pods", { namespace: "" }),
      false,
    ],
    ["fits a name", { resourceNames: ["web"] }, access("delete", "pods"), true],
    ["fits no other name", { resourceNames: ["web-*"] }, access("delete", "pods"), false],
    [
      "fits nothing without a name when it names some",
      { resourceNames: ["*"] },
      access("delete", "pods", { name: "" }),
      false,
    ],
  ];
  for (const [name, more, wanted, expected] of rows) {
    test(name, () => {
      assert.deepEqual(denialProblems([denial(more)], "denials"), []);
      assert.equal(compileDenials([denial(more)]).find(ann, wanted) !== undefined, expected);
    });
  }

  test("the first that fits is told", () => {
    const denials = compileDenials([
      denial({ name: "a", users: ["bob"] }),
      denial({ name: "b" }),
      denial({ name: "c" }),
    ]);
    assert.equal(denials.find(ann, access("delete", "pods"))?.name, "b");
  });
});

test("everything that is wrong with denials is told with its path", () => {
  const problems = denialProblems(
    [
      denial({ name: "" }),
      denial({ name: "a", users: [], verbs: [] }),
      denial({ name: "a", resources: [] }),
      denial({ name: "b", apiGroups: [] }),
      denial({ name: "c", nonResourceURLs: ["metrics", "*"] }),
    ],
    "denials",
  );
  assert.deepEqual(
    problems.map(({ path, text }) => `${path}: ${text}`),
    [
      "denials[0].name: must not be empty",
      'denials[1]: must say who is denied: users or groups; users: ["*"] is everybody',
      'denials[1].verbs: must not be empty; "*" is every verb',
      'denials[2].name: "a" is taken already',
      "denials[2]: must say what is denied: resources or nonResourceURLs",
      "denials[2].resources: is required beside apiGroups, resourceNames and namespaces",
      'denials[3].apiGroups: is required beside resources; "" is the core group',
      "denials[4].nonResourceURLs[0]: must begin with a slash",
    ],
  );
});
