import assert from "node:assert/strict";
import { test } from "node:test";
import { labelMap, labelSelector, labelSelectorDump, selectorText } from "./labels.js";

test("labels are shown in order, and an empty map as <none>", () => {
  assert.equal(labelMap({ b: "2", a: "1" }), "a=1,b=2");
  assert.equal(labelMap({}), "<none>");
  assert.equal(labelMap(undefined), "<none>");
});

test("a selector is shown in query syntax, its requirements ordered by key and its values in order", () => {
  const selector = {
    matchLabels: { tier: "web", app: "shop" },
    matchExpressions: [
      { key: "zone", operator: "In", values: ["b", "a"] },
      { key: "env", operator: "NotIn", values: ["dev"] },
      { key: "gpu", operator: "Exists" },
      { key: "old", operator: "DoesNotExist" },
    ],
  };
  assert.equal(labelSelector(selector), "app=shop,env notin (dev),gpu,!old,tier=web,zone in (a,b)");
});

test("a selector that selects everything or nothing is shown as <none>", () => {
  assert.equal(labelSelector({}), "<none>");
  assert.equal(labelSelector(undefined), "<none>");
  assert.equal(selectorText(undefined), "");
});

test("a selector that makes no sense is shown as <error>", () => {
  assert.equal(labelSelector({ matchExpressions: [{ key: "a", operator: "Near" }] }), "<error>");
  assert.equal(labelSelector({ matchExpressions: [{ key: "a", operator: "In", values: [] }] }), "<error>");
  assert.equal(labelSelector({ matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] }), "<error>");
});

test("a label called __proto__ is only a label", () => {
  assert.equal(labelMap(JSON.parse('{"__proto__":"x"}')), "__proto__=x");
});

test("the debug form of a selector lists labels and expressions", () => {
  assert.equal(
    labelSelectorDump({
      matchLabels: { b: "2", a: "1" },
      matchExpressions: [{ key: "k", operator: "In", values: ["x", "y"] }],
    }),
    "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}",
  );
});
