import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { appsV1 } from "@gatehouse/envelopes/types";
import { admit } from "../testing/index.js";
import * as expressions from "./index.js";
import {
  concat,
  endsWith,
  entry,
  eq,
  exists,
  filter,
  has,
  join,
  map,
  orValue,
  type PolicySubject,
  policyHook,
  policyObjects,
  size,
  type Validation,
  variable,
} from "./index.js";

// biome-ignore lint/suspicious/noExplicitAny: some hooks are declared as a module in JavaScript would declare them.
type Untyped = any;

const js: Untyped = expressions;

const rules = [
  { operations: ["CREATE", "UPDATE"] as const, apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments"] },
];

function hookOf(validations: (subject: PolicySubject<appsV1.Deployment>) => readonly Validation[]) {
  return policyHook<appsV1.Deployment>({ name: "deployments.example.com", rules, validations });
}

function deployment(images: readonly string[], labels: Record<string, string> = {}, replicas = 1): JsonObject {
  const containers = images.map((image, index) => ({ name: `c${index}`, image }));
  const template = { metadata: { labels: { a: "b" } }, spec: { containers } };
  const spec = { replicas, selector: { matchLabels: { a: "b" } }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "n", labels }, spec };
}

const images = hookOf(({ object }) => {
  const { containers } = object.spec.template.spec;
  const latest = variable(
    "latest",
    map(
      filter(containers, ({ image }) => endsWith(orValue(image, ""), ":latest")),
      ({ name }) => name,
    ),
  );
  return [
    { check: eq(size(latest), 0), message: concat("name a version of ", join(latest, ", ")) },
    {
      check: has(entry(object.metadata.labels, "app.kubernetes.io/name")),
      message: "label app.kubernetes.io/name is required",
      reason: "Forbidden",
    },
  ];
});

describe("A hook that is made of expressions", () => {
  it("allows and denies, with the message and reason of the first validation that is false", async () => {
    const named = { "app.kubernetes.io/name": "web" };
    const judge = async (object: JsonObject) => {
      const { outcome, message } = await admit([images], { object });
      return [outcome, message];
    };
    assert.deepEqual(await judge(deployment(["a:1"], named)), ["allowed", undefined]);
    assert.deepEqual(await judge(deployment(["a:latest", "b:1", "c:latest"])), ["denied", "name a version of c0, c2"]);
    assert.deepEqual(await judge(deployment(["a:1"])), ["denied", "label app.kubernetes.io/name is required"]);
  });

  it("is printed as a policy and a binding", () => {
    assert.deepEqual(policyObjects(images, ["Deny", "Audit"]), [
      {
        apiVersion: "admissionregistration.k8s.io/v1beta1",
        kind: "ValidatingAdmissionPolicy",
        metadata: { name: "deployments.example.com" },
        spec: {
          failurePolicy: "Fail",
          matchConstraints: { matchPolicy: "Equivalent", resourceRules: rules },
          variables: [
            {
              name: "latest",
              expression:
                'object.?spec.?template.?spec.?containers.orValue([]).filter(item, item.?image.orValue("").endsWith(":latest")).map(item, item.name)',
            },
          ],
          validations: [
            {
              expression: "size(variables.latest) == 0",
              messageExpression: '"name a version of " + variables.latest.join(", ")',
              reason: "Invalid",
            },
            {
              expression: 'object.?metadata.?labels[?"app.kubernetes.io/name"].hasValue()',
              message: "label app.kubernetes.io/name is required",
              reason: "Forbidden",
            },
          ],
        },
      },
      {
        apiVersion: "admissionregistration.k8s.io/v1beta1",
        kind: "ValidatingAdmissionPolicyBinding",
        metadata: { name: "deployments.example.com" },
        spec: { policyName: "deployments.example.com", validationActions: ["Deny", "Audit"] },
      },
    ]);
  });

  it("fails when it reads a member that is absent, so that the failure policy decides", async () => {
    const hook = hookOf(({ object }) => [
      { check: exists(object.spec.template.spec.containers, ({ name }) => eq(name, "c1")), message: "no" },
      // A module in JavaScript has no types that ask for orValue().
      { check: js.eq((object as Untyped).absent, "x"), message: "no" },
    ]);
    const { outcome, message } = await admit([hook], { object: deployment(["a:1", "b:1"]) });
    assert.deepEqual([outcome, message], ["failed", "no such key: absent"]);
  });

  for (const [what, expected, check] of [
    [
      "an `or` within an `and`",
      "(has(object.a) || has(object.b)) && has(object.c)",
      (o) => js.and(js.or(js.has(o.a), js.has(o.b)), js.has(o.c)),
    ],
    [
      "an `and` within an `or`",
      "has(object.a) && has(object.b) || has(object.c)",
      (o) => js.or(js.and(js.has(o.a), js.has(o.b)), js.has(o.c)),
    ],
    ["a negation of a comparison", '!(object.a == "b")', (o) => js.not(js.eq(o.a, "b"))],
    ["a comparison of comparisons", "(object.a > 1) == (object.b <= -1)", (o) => js.eq(js.gt(o.a, 1), js.le(o.b, -1))],
    [
      "a choice within a choice",
      "(has(object.a) ? object.b : true) ? object.c : false",
      (o) => js.choose(js.choose(js.has(o.a), o.b, true), o.c, false),
    ],
    ["names that are no identifiers", 'object["x-y"]["in"].namespace', (o) => o["x-y"].in.namespace],
    [
      "quotes, backslashes and line breaks",
      '"\\"\\\\\\n\\u0000é😀\'" in object.a',
      (o) => js.isIn("\"\\\n\0é😀'", o.a),
    ],
    [
      "a loop within a loop",
      "object.?a.orValue([]).all(item, item.?b.orValue([]).all(item2, item2 == item.c))",
      (o) => js.all(o.a, (a: Untyped) => js.all(a.b, (b: Untyped) => js.eq(b, a.c))),
    ],
    [
      "a number as text",
      'string(dyn(size(object.a))).matches("^[12]$")',
      (o) => js.matches(js.text(js.size(o.a)), "^[12]$"),
    ],
    [
      "a text of members that may hold lists or numbers, which CEL must not add up",
      '"" + object.a + object.b == object.?c.orValue("c") + "d"',
      (o) => js.eq(js.concat(o.a, o.b), js.concat(js.orValue(o.c, "c"), "d")),
    ],
    [
      "an object that may be absent",
      "oldObject != null && oldObject.?a.orValue(1) == 1",
      (_o, old) => js.and(js.has(old), js.eq(js.orValue(old.a, 1), 1)),
    ],
  ] as readonly (readonly [string, string, (object: Untyped, oldObject: Untyped) => Untyped])[]) {
    it(`is printed with ${what}`, () => {
      const { policy } = hookOf(({ object, oldObject }) => [{ check: check(object, oldObject), message: "no" }]);
      assert.equal(policy.validations[0]?.expression, expected);
    });
  }

  for (const [what, expected, validations] of [
    ["no validation", "validations: at least one is required", () => []],
    [
      "a number that is not whole",
      "1.5 cannot be written into an expression: numbers must be whole",
      ({ object }) => [{ check: js.gt(object.a, 1.5), message: "no" }],
    ],
    [
      "a function as a value",
      "a value of type function cannot be written into an expression: give a text, a whole number, a boolean, null, a list of these, or {}",
      ({ object }) => [{ check: js.eq(object.a, () => 1), message: "no" }],
    ],
    [
      "a list of several types",
      "a list must hold values of one type: texts, whole numbers or booleans",
      ({ object }) => [{ check: js.isIn(object.a, [1, "a"]), message: "no" }],
    ],
    [
      "half a surrogate pair",
      'validations[0].check: the text "\\ud800" holds half a surrogate pair, which CEL cannot hold',
      ({ object }) => [{ check: js.eq(object.a, "\ud800"), message: "no" }],
    ],
    [
      "a check that is a number",
      "validations[0].check: is of type int, and must be of type bool: size(object.a)",
      ({ object }) => [{ check: js.size(object.a), message: "no" }],
    ],
    [
      "a message of two lines",
      "validations[0].message: must be a line of text",
      () => [{ check: true, message: "a\nb" }],
    ],
    [
      "an unknown reason",
      "validations[0].reason: must be one of Unauthorized, Forbidden, RequestEntityTooLarge, Invalid",
      () => [{ check: true, message: "a", reason: "constructor" }],
    ],
    [
      "a default for what is no path",
      "orValue() takes a path, such as object.spec, which may be absent",
      ({ object }) => [{ check: js.orValue(js.size(object.a), 1), message: "no" }],
    ],
    [
      "two variables of one name",
      'variable "v": another variable has this name',
      ({ object }) => [{ check: js.and(js.variable("v", object.a), js.variable("v", object.b)), message: "no" }],
    ],
    [
      "a variable without a usable name",
      'variable "a-b": the name must be made of letters, digits and underscores',
      ({ object }) => [{ check: js.variable("a-b", object.a), message: "no" }],
    ],
    [
      "a variable that uses the element of a loop",
      'variable "v": an element is used outside its loop',
      ({ object }) => [{ check: js.all(object.a, (a: Untyped) => js.variable("v", a)), message: "no" }],
    ],
  ] as readonly (readonly [string, string, (subject: Untyped) => readonly Validation[]])[]) {
    it(`is refused by name with ${what}`, () => {
      assert.throws(() => hookOf(validations), new TypeError(`hook "deployments.example.com": ${expected}`));
    });
  }

  it("is refused with an invalid pattern, and with types that CEL does not compare", () => {
    const pattern = ({ object }: Untyped) => [{ check: js.matches(object.a, "["), message: "no" }];
    assert.throws(
      () => hookOf(pattern),
      /^TypeError: hook "deployments.example.com": validations\[0\].check: .*missing closing \]/s,
    );
    const types = ({ object }: Untyped) => [{ check: js.eq(js.size(object.a), "a"), message: "no" }];
    assert.throws(() => hookOf(types), /found no matching overload for '_==_' applied to '\(int, string\)'/);
  });

  it("is refused for operations that have no object", () => {
    const rule = { ...rules[0], operations: ["DELETE"] };
    assert.throws(
      () => policyHook({ name: "a.b.c", rules: [rule as never], validations: () => [{ check: true, message: "no" }] }),
      /rules: the operation DELETE has no object; a policy hook is about CREATE and UPDATE/,
    );
  });
});
