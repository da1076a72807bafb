import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RequestedAccess } from "../access/requested-access.js";
import { AbacIndex } from "./abac-index.js";
import { parseAbacFile } from "./parse-abac-file.js";

const versioned = '"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy"';
const ann = { username: "ann", groups: ["dev", "system:authenticated"] };

function access(verb: string, resource: string, namespace = "n", group = ""): RequestedAccess {
  return { isResourceRequest: true, verb, group, resource, subresource: "", namespace, name: "", path: "" };
}

function path(verb: string, url: string): RequestedAccess {
  return { ...access(verb, "", ""), isResourceRequest: false, path: url };
}

describe("A line of a policy file", () => {
  const spec = (text: string) => `{${versioned},"spec":{${text}}}`;
  const rows: readonly [string, string, RequestedAccess, boolean][] = [
    ["allows what it says", spec('"user":"ann","namespace":"n","resource":"pods"'), access("delete", "pods"), true],
    [
      "allows no other namespace",
      spec('"user":"ann","namespace":"n","resource":"pods"'),
      access("get", "pods", "m"),
      false,
    ],
    [
      "allows no other group",
      spec('"user":"ann","namespace":"n","resource":"pods"'),
      access("get", "pods", "n", "g"),
      false,
    ],
    [
      "allows nobody else anything",
      spec('"user":"bob","namespace":"*","resource":"*","apiGroup":"*"'),
      access("get", "pods"),
      false,
    ],
    [
      "allows everything with stars",
      spec('"user":"ann","namespace":"*","resource":"*","apiGroup":"*"'),
      access("x", "y", "z", "g"),
      true,
    ],
    [
      "allows only reading when it says so",
      spec('"user":"ann","namespace":"*","resource":"*","readonly":true'),
      access("create", "pods"),
      false,
    ],
    [
      "allows reading when it says so",
      spec('"user":"ann","namespace":"*","resource":"*","readonly":true'),
      access("watch", "pods"),
      true,
    ],
    ["is for a group", spec('"group":"dev","namespace":"*","resource":"*"'), access("get", "pods"), true],
    [
      "is for a user in a group",
      spec('"user":"ann","group":"ops","namespace":"*","resource":"*"'),
      access("get", "pods"),
      false,
    ],
    ["is for all with a star", spec('"user":"*","namespace":"*","resource":"*"'), access("get", "pods"), true],
    ["is for nobody without user and group", spec('"namespace":"*","resource":"*"'), access("get", "pods"), false],
    ["allows a path", spec('"user":"ann","nonResourcePath":"/x"'), path("get", "/x"), true],
    ["allows paths below one", spec('"user":"ann","nonResourcePath":"/x/*"'), path("get", "/x/y"), true],
    [
      "for resources allows no path",
      spec('"user":"ann","namespace":"*","resource":"*","apiGroup":"*"'),
      path("get", "/x"),
      false,
    ],
    [
      "in the oldest form allows everything that it leaves out",
      '{"user":"ann"}',
      access("create", "y", "z", "g"),
      true,
    ],
    ["in the oldest form allows paths without namespace and resource", '{"user":"ann"}', path("get", "/x"), true],
    ["in the oldest form is for all without user and group", '{"resource":"pods"}', access("get", "pods"), true],
    ["in the oldest form with a resource allows no path", '{"resource":"pods"}', path("get", "/x"), false],
  ];
  for (const [name, line, wanted, expected] of rows) {
    test(name, () => {
      const file = parseAbacFile(line);
      assert.deepEqual(file.problems, []);
      assert.equal(new AbacIndex(file.policies).allows(ann, wanted), expected);
    });
  }
});

test("lines that cannot be read are told by their numbers, all at once", () => {
  const lines = [
    "# people",
    "",
    `{${versioned},"spec":{"user":"ann"}}`,
    "{",
    "[]",
    '{"apiVersion":"v1","kind":"Pod"}',
    `{${versioned},"spec":[]}`,
    `{${versioned},"spec":{"user":7}}`,
    '{"readonly":"yes"}',
    '{"user":"bob"}',
  ];
  const { policies, problems, unversionedLines } = parseAbacFile(lines.join("\n"));
  assert.equal(policies.length, 2);
  assert.equal(unversionedLines, 1);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [4, 5, 6, 7, 8, 9],
  );
  assert.deepEqual(
    problems.slice(1).map(({ problem }) => problem),
    [
      "must be a JSON object",
      'no kind "Pod" is registered for version "v1": expected "Policy" of "abac.authorization.kubernetes.io/v1beta1"',
      "spec must be an object",
      "user must be a string",
      "readonly must be true or false",
    ],
  );
});

test("what the lines allow can be listed", () => {
  const { policies } = parseAbacFile(
    [
      `{${versioned},"spec":{"user":"ann","namespace":"n","resource":"pods","readonly":true}}`,
      `{${versioned},"spec":{"group":"dev","namespace":"*","resource":"*","apiGroup":"apps","nonResourcePath":"/x"}}`,
      `{${versioned},"spec":{"user":"ann","namespace":"m","resource":"pods"}}`,
    ].join("\n"),
  );
  const none = { resourceNames: [], nonResourceURLs: [] };
  assert.deepEqual(new AbacIndex(policies).rulesFor(ann, "n"), [
    { verbs: ["get", "list", "watch"], apiGroups: [""], resources: ["pods"], ...none },
    { verbs: ["*"], apiGroups: ["apps"], resources: ["*"], ...none },
    { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["/x"] },
  ]);
});
