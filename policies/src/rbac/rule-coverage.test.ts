import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PolicyRule, policyRulesOf } from "./policy-rule.js";
import { type Uncovered, uncoveredRules } from "./rule-coverage.js";
import { compactRules, ruleText } from "./rule-text.js";

function rules(...texts: string[]): readonly PolicyRule[] {
  return policyRulesOf({
    rules: texts.map((text) => {
      const [verbs, groups, resources, names] = text.split(";").map((list) => list.trim().split(" "));
      return text.startsWith("url")
        ? { verbs: groups, nonResourceURLs: resources }
        : {
            verbs,
            apiGroups: groups?.map((name) => (name === "core" ? "" : name)),
            resources,
            resourceNames: names ?? [],
          };
    }),
  });
}

function run(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): { steps: number; uncovered: Uncovered } {
  const work = uncoveredRules(held, wanted);
  for (let steps = 1; ; steps++) {
    const result = work.next();
    if (result.done === true) {
      return { steps, uncovered: result.value };
    }
  }
}

describe("Whoever grants rules holds them, where", () => {
  const rows: readonly [string, string[], string[], string[]][] = [
    ["the rules are the same", ["get;core;pods"], ["get;core;pods"], []],
    [
      "a verb is missing",
      ["get;core;pods"],
      ["get list;core;pods"],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["list"]}'],
    ],
    ["several rules cover together", ["get;core;pods", "list;core;pods"], ["get list;core;pods"], []],
    ["stars cover all", ["*;*;*"], ["get;core;pods pods/log;a b", "x;y;z"], []],
    [
      "a star is not covered by anything less",
      ["get list;core;pods"],
      ["*;core;pods"],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    ],
    ["a subresource of anything covers one", ["get;*;*/log"], ["get;core;pods/log"], []],
    [
      "a resource does not cover its subresource",
      ["get;core;pods"],
      ["get;core;pods/log"],
      ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}'],
    ],
    [
      "some names are held",
      ["get;core;pods;a b"],
      ["get;core;pods;a c"],
      ['{APIGroups:[""], Resources:["pods"], ResourceNames:["c"], Verbs:["get"]}'],
    ],
    [
      "names do not cover all names",
      ["get;core;pods;a"],
      ["get;core;pods"],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["get"]}'],
    ],
    ["a path is below one with a star", ["url;get;/x/*"], ["url;get;/x/y"], []],
    ["a star is not covered by a path", ["url;get;/x"], ["url;get;/x*"], ['{NonResourceURLs:["/x*"], Verbs:["get"]}']],
    ["rules for resources cover no path", ["*;*;*"], ["url;get;/x"], ['{NonResourceURLs:["/x"], Verbs:["get"]}']],
    [
      "what is missing of one resource is told together",
      [],
      ["get list;core;pods services"],
      [
        '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
        '{APIGroups:[""], Resources:["services"], Verbs:["get" "list"]}',
      ],
    ],
  ];
  for (const [name, held, wanted, expected] of rows) {
    test(name, () => {
      const { uncovered } = run(rules(...held), rules(...wanted));
      assert.deepEqual(compactRules(uncovered.rules).map(ruleText).sort(), expected);
      assert.equal(uncovered.isCutShort, false);
    });
  }

  test("a rule stands for more than can be looked at: it is cut short, in steps", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `w${index}`);
    const wide = [{ verbs: many, apiGroups: many, resources: many, resourceNames: [], nonResourceURLs: [] }];
    assert.equal(run([], wide).uncovered.isCutShort, true);
    const nearly = [
      { ...(wide[0] as PolicyRule), verbs: many.slice(1) },
      { ...(wide[0] as PolicyRule), verbs: many.slice(0, 1) },
    ];
    const { steps, uncovered } = run(nearly, wide);
    assert.equal(uncovered.isCutShort, true);
    assert.ok(steps > 20, `${steps} steps`);
  });
});
