import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { allow } from "../decision/decision.js";
import { webhookConfigurations } from "../registration/webhook-configurations.js";
import { type Hook, mutatingHook, validatingHook } from "./hook.js";
import type { HookMatchCondition } from "./hook-options.js";

const rules = [{ operations: ["CREATE" as const], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }];

function hookWith(matchConditions: readonly HookMatchCondition[]): Hook {
  return validatingHook({ name: "v.example.com", rules, handler: () => allow(), matchConditions });
}

const refused: readonly [what: string, conditions: readonly HookMatchCondition[], problem: string][] = [
  [
    "an expression that does not parse",
    [{ name: "a", expression: "object." }],
    `matchConditions[0].expression: Invalid value: "object.": compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'
 | object.
 | .......^`,
  ],
  [
    "a name that there is not",
    [{ name: "a", expression: "objekt == 1" }],
    `matchConditions[0].expression: Invalid value: "objekt == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'objekt' (in container '')
 | objekt == 1
 | ^`,
  ],
  [
    "parameters, which hooks have not",
    [{ name: "a", expression: "params.a == 1" }],
    `matchConditions[0].expression: Invalid value: "params.a == 1": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')
 | params.a == 1
 | ^`,
  ],
  [
    "a value that is no bool",
    [{ name: "a", expression: "1" }],
    'matchConditions[0].expression: Invalid value: "1": must evaluate to bool',
  ],
  [
    "a function that a server of the release before does not know",
    [{ name: "a", expression: "sets.contains([1], [1])" }],
    `matchConditions[0].expression: Invalid value: "sets.contains([1], [1])": compilation failed: ERROR: <input>:1:1: undeclared reference to 'sets' (in container '')
 | sets.contains([1], [1])
 | ^
ERROR: <input>:1:14: found no matching overload for 'contains' applied to '!error!.(list(int), list(int))'
 | sets.contains([1], [1])
 | .............^`,
  ],
  [
    "neither a name nor an expression",
    [{ name: "", expression: " " }],
    "matchConditions[0].expression: Required value; matchConditions[0].name: Required value",
  ],
  [
    "one name twice",
    [
      { name: "a", expression: "true" },
      { name: "a", expression: "false" },
    ],
    'matchConditions[1].name: Duplicate value: "a"',
  ],
];

describe("A hook is refused where it is declared, in the words of v1.29, for match conditions with", () => {
  for (const [what, conditions, problem] of refused) {
    test(what, () => {
      assert.throws(() => hookWith(conditions), new TypeError(`hook "v.example.com": ${problem}`));
    });
  }

  test("a name that is no qualified name", () => {
    assert.throws(
      () => hookWith([{ name: "not a name", expression: "true" }]),
      /matchConditions\[0\]\.name: Invalid value: "not a name": name part must consist of alphanumeric characters/,
    );
  });

  test("more of them than 64", () => {
    const conditions = Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: "true" }));
    assert.throws(() => hookWith(conditions), /matchConditions: Too many: 65: must have at most 64 items/);
    assert.equal(hookWith(conditions.slice(1)).matchConditions.length, 64);
  });
});

test("registration writes the match conditions of hooks of both types, and no member for hooks without", () => {
  const matchConditions = [{ name: "a", expression: "object.metadata.name != 'a'" }];
  const mutating = mutatingHook({ name: "m.example.com", rules, handler: () => allow(), matchConditions });
  const location = { url: "https://127.0.0.1" };
  const configurations = webhookConfigurations({
    hooks: [hookWith(matchConditions), hookWith([]), mutating],
    name: "mine",
    location,
  });
  assert.deepEqual(
    configurations.map(({ kind, webhooks = [] }) => [
      kind,
      webhooks.map((webhook) => ("matchConditions" in webhook ? webhook.matchConditions : "absent")),
    ]),
    [
      ["MutatingWebhookConfiguration", [matchConditions]],
      ["ValidatingWebhookConfiguration", [matchConditions, "absent"]],
    ],
  );
});
