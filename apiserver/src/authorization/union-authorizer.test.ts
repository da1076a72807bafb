import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "./authorizer.js";
import { unionAuthorizer } from "./union-authorizer.js";

const question = {} as AuthorizationAttributes;
const says = (decision: AuthorizationDecision["decision"], reason = "", error?: string): Authorizer => ({
  authorize: () => ({ decision, reason, ...(error === undefined ? {} : { error: new Error(error) }) }),
});
const late = (authorizer: Authorizer): Authorizer => ({
  authorize: async (attributes) => authorizer.authorize(attributes),
});
const throws: Authorizer = {
  authorize() {
    throw new Error("broken");
  },
};
const rows: readonly [string, readonly Authorizer[], object][] = [
  [
    "the first opinion counts",
    [says("noOpinion", "a"), says("deny", "b"), says("allow")],
    { decision: "deny", reason: "b" },
  ],
  ["who comes after a yes is not asked", [says("allow", "a"), throws], { decision: "allow", reason: "a" }],
  [
    "without any opinion all reasons are told",
    [says("noOpinion", "a"), says("noOpinion"), says("noOpinion", "b")],
    { decision: "noOpinion", reason: "a\nb" },
  ],
  ["an error keeps nobody else from allowing", [throws, says("allow")], { decision: "allow", reason: "" }],
  [
    "errors are told when nobody allows",
    [throws, says("noOpinion", "a")],
    { decision: "noOpinion", reason: "a", error: "broken" },
  ],
  [
    "several errors are told once each",
    [throws, says("noOpinion", "", "other"), throws],
    { decision: "noOpinion", reason: "", error: "[broken, other]" },
  ],
];
for (const [name, authorizers, expected] of rows) {
  test(name, async () => {
    for (const variant of [authorizers, authorizers.map(late)]) {
      const { error, ...decision } = await unionAuthorizer(variant).authorize(question);
      assert.deepEqual(error === undefined ? decision : { ...decision, error: error.message }, expected);
    }
  });
}

test("all rules that are known are told together, and whether there may be more", async () => {
  const rule = { verbs: ["get"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["/x"] };
  const knowing: Authorizer = { ...says("noOpinion"), rulesFor: () => ({ rules: [rule], incomplete: false }) };
  const guessing: Authorizer = {
    ...says("noOpinion"),
    rulesFor: () => ({ rules: [], incomplete: true, error: new Error("cannot say") }),
  };
  const { error, ...known } = await unionAuthorizer([says("allow"), knowing, guessing]).rulesFor(
    { username: "a", groups: [] },
    "n",
  );
  assert.deepEqual(known, { rules: [rule], incomplete: true });
  assert.equal(error?.message, "cannot say");
});
