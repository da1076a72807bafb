import assert from "node:assert/strict";
import { test } from "node:test";
import type { gatehousepoliciesV1alpha1 } from "@gatehouse/envelopes/types";
import { readPolicyCases } from "./read-policy-cases.js";

type PolicyCases = gatehousepoliciesV1alpha1.PolicyCases;

const subjects = { policies: new Set(["replicas"]), definitions: new Set(["crontabs.example.com"]) };
const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas: 1 } };
const allowed = { allowed: true };

const read = (content: Partial<PolicyCases>) =>
  readPolicyCases([{ file: "a.yaml", content: { policies: ["replicas"], cases: [], ...content } }], subjects);

/** Returns the request that a case of one file gives. */
function request(given: gatehousepoliciesV1alpha1.PolicyCaseRequest) {
  const { cases, problems } = read({ objects: { deployment }, cases: [{ name: "a", given, expect: allowed }] });
  assert.deepEqual(problems, []);
  assert.ok(cases[0]);
  return cases[0].given;
}

/** Returns the problems of a case of one file: `path: text`. */
function problemsOf(
  given: gatehousepoliciesV1alpha1.PolicyCaseRequest,
  expect: gatehousepoliciesV1alpha1.PolicyCaseOutcome = allowed,
  content: Partial<PolicyCases> = {},
): readonly string[] {
  const { cases, problems } = read({ objects: { deployment }, cases: [{ name: "a", given, expect }], ...content });
  assert.equal(cases.length, problems.length === 0 ? 1 : 0);
  return problems.map(({ path, text }) => `${path}: ${text}`);
}

test("an object is a merge patch to its base, which does not change", () => {
  const object = { metadata: { labels: { a: "b" } }, spec: { replicas: null, paused: true } };
  assert.deepEqual(request({ base: "deployment", object }).object, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", labels: { a: "b" } },
    spec: { paused: true },
  });
  assert.deepEqual(deployment.spec, { replicas: 1 });
});

test("a base alone is created as it is", () => {
  const { operation, object, oldObject } = request({ base: "deployment" });
  assert.deepEqual([operation, object, oldObject], ["CREATE", deployment, undefined]);
});

test("the operation follows from the objects", () => {
  assert.equal(request({ object: deployment }).operation, "CREATE");
  assert.equal(request({ base: "deployment", oldObject: {}, object: { spec: { replicas: 2 } } }).operation, "UPDATE");
  assert.equal(request({ base: "deployment", oldObject: {} }).operation, "DELETE");
  assert.equal(request({ object: deployment, operation: "CONNECT" }).operation, "CONNECT");
});

test("no parameters and unspecified parameters are different", () => {
  assert.equal(request({ base: "deployment" }).params, undefined);
  assert.deepEqual(request({ base: "deployment", params: [] }).params, []);
});

test("the namespace is the stated one, or that of the object", () => {
  assert.equal(request({ base: "deployment" }).namespace, undefined);
  assert.equal(request({ base: "deployment", namespace: "shop" }).namespace, "shop");
  assert.equal(request({ base: "deployment", object: { metadata: { namespace: "bank" } } }).namespace, "bank");
});

test("members of an object named like those of a prototype are data", () => {
  const object = JSON.parse('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}');
  const labels = request({ base: "deployment", object }).object?.["metadata"] as { labels: object };
  assert.deepEqual(Object.keys(labels.labels).sort(), ["__proto__", "constructor"]);
  assert.deepEqual(problemsOf({ base: "toString" }), ['cases[0].given.base: there is no object "toString" in objects']);
});

const wrong: readonly [
  name: string,
  given: gatehousepoliciesV1alpha1.PolicyCaseRequest,
  expect: gatehousepoliciesV1alpha1.PolicyCaseOutcome,
  problems: readonly string[],
][] = [
  [
    "a base that is not there",
    { base: "pod", object: { spec: {} } },
    allowed,
    ['given.base: there is no object "pod" in objects'],
  ],
  ["a request without objects", {}, allowed, ["given.object: is required, or oldObject for a deletion, or base"]],
  [
    "an object without a kind",
    { object: { spec: {} } },
    allowed,
    ["given.object.apiVersion: is required", "given.object.kind: is required"],
  ],
  [
    "an unknown operation",
    { base: "deployment", operation: "PATCH" },
    allowed,
    ["given.operation: must be one of CREATE, UPDATE, DELETE, CONNECT"],
  ],
  [
    "an operation that does not fit its objects",
    { base: "deployment", object: {}, operation: "DELETE" },
    allowed,
    ["given.oldObject: is required for DELETE", "given.object: must not be there for DELETE"],
  ],
  [
    "objects of different names",
    { base: "deployment", object: {}, oldObject: { metadata: { name: "other" } } },
    allowed,
    ["given.oldObject: must have the kind and the name of object"],
  ],
  [
    "another namespace than that of the object",
    { base: "deployment", namespace: "shop", object: { metadata: { namespace: "bank" } } },
    allowed,
    ['given.namespace: must be that of the object, "bank"'],
  ],
  [
    "a Namespace of another name",
    { base: "deployment", namespace: "shop", namespaceObject: { metadata: { name: "bank" } } },
    allowed,
    ['given.namespaceObject.metadata.name: must be the namespace of the request, "shop"'],
  ],
  [
    "a reason that policies cannot give",
    { base: "deployment" },
    { allowed: false, reason: "FieldValueInvalid" },
    ["expect.reason: must be one of Invalid, Forbidden, Unauthorized, RequestEntityTooLarge"],
  ],
  [
    "a path, which policies do not tell",
    { base: "deployment" },
    { allowed: false, violations: [{ message: "m", path: "spec" }] },
    ["expect.violations[0].path: is for rules of definitions only"],
  ],
  [
    "a first violation beside all of them",
    { base: "deployment" },
    { allowed: false, message: "m", violations: [{ message: "m" }] },
    ["expect.message: must not be stated beside violations"],
  ],
  [
    "a denial without violations",
    { base: "deployment" },
    { allowed: false, violations: [] },
    ["expect.violations: must not be empty for a request that is not allowed"],
  ],
  [
    "a violation of a policy that is skipped",
    { base: "deployment" },
    { allowed: false, message: "m", skipped: true },
    ["expect.skipped: must not be true where a violation is expected"],
  ],
  ["a negative cost", { base: "deployment" }, { ...allowed, maxCost: -1 }, ["expect.maxCost: must not be negative"]],
];

for (const [name, given, expect, problems] of wrong) {
  test(`a problem with its path: ${name}`, () => {
    assert.deepEqual(
      problemsOf(given, expect),
      problems.map((problem) => `cases[0].${problem}`),
    );
  });
}

test("cases of definitions have paths and reasons of fields, and neither parameters nor skipped policies", () => {
  const ofRules = { policies: [], definitions: ["crontabs.example.com"] };
  assert.deepEqual(
    problemsOf({ base: "deployment" }, { allowed: false, path: "spec", reason: "FieldValueForbidden" }, ofRules),
    [],
  );
  assert.deepEqual(problemsOf({ base: "deployment", params: [] }, { ...allowed, skipped: true }, ofRules), [
    "cases[0].given.params: are for policies only",
    "cases[0].expect.skipped: is for policies only: rules are always evaluated",
  ]);
});

test("the problems of all files are told at once, and the other cases can be run", () => {
  const good = { name: "good", given: { base: "deployment" }, expect: allowed };
  const { cases, problems } = readPolicyCases(
    [
      { file: "a.yaml", content: { cases: [] } },
      {
        file: "b.yaml",
        content: {
          policies: ["replica", "replicas"],
          definitions: ["x"],
          objects: { deployment },
          cases: [good, { ...good, given: {} }, { ...good, name: "" }],
        },
      },
    ],
    subjects,
  );
  assert.deepEqual(
    cases.map(({ file, path, name }) => [file, path, name]),
    [["b.yaml", "cases[0]", "good"]],
  );
  assert.deepEqual(
    problems.map(({ file, path, text }) => `${file}: ${path}: ${text}`),
    [
      "a.yaml: policies: must name a policy, or definitions a definition",
      "a.yaml: cases: must have a case",
      'b.yaml: policies[0]: there is no ValidatingAdmissionPolicy "replica"',
      'b.yaml: definitions[0]: there is no CustomResourceDefinition "x"',
      'b.yaml: cases[1].name: "good" is taken already',
      "b.yaml: cases[1].given.object: is required, or oldObject for a deletion, or base",
      "b.yaml: cases[2].name: must not be empty",
    ],
  );
});
