import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { definitionOf, errorsOfCreate, textsOf } from "./definition.test.support.js";

const embedded = {
  type: "object",
  "x-kubernetes-preserve-unknown-fields": true,
  "x-kubernetes-embedded-resource": true,
};

/** Returns what validation says of a property with a default, and the default as it is then. */
function validated(property: JsonObject): { readonly problems: readonly string[]; readonly stated: JsonValue } {
  const problems = textsOf(errorsOfCreate(definitionOf({ type: "object", properties: { e: property } })));
  return { problems, stated: property["default"] ?? null };
}

const thing = { apiVersion: "v1", kind: "Thing" };
const at = "spec.validation.openAPIV3Schema.properties[e].default";

describe("The default of an embedded object, as v1.29 has answered", () => {
  const kept: readonly (readonly [what: string, value: JsonObject, expected: JsonObject])[] = [
    ["unknown members in its metadata", { ...thing, metadata: { name: "n", odd: 1 } }, { name: "n" }],
    ["no metadata but null", { ...thing, metadata: null }, {}],
    ["an empty list in its metadata", { ...thing, metadata: { name: "n", managedFields: [] } }, { name: "n" }],
  ];
  for (const [what, value, expected] of kept) {
    it(`loses ${what}, also inside another default`, () => {
      const own = { ...embedded, default: value };
      assert.deepEqual(validated(own), { problems: [], stated: { ...thing, metadata: expected } });
      const list = { type: "array", items: embedded, default: [value] };
      assert.deepEqual(validated(list), { problems: [], stated: [{ ...thing, metadata: expected }] });
    });
  }

  for (const [value, problem] of [
    [{ ...thing, apiVersion: null, metadata: { name: "n" } }, '.apiVersion: Invalid value: "null": must be a string'],
    [
      { ...thing, metadata: { name: 5 } },
      '.metadata: Invalid value: map[string]interface {}{"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string',
    ],
    [
      { ...thing, metadata: "x" },
      '.metadata: Invalid value: "x": json: cannot unmarshal string into Go value of type v1.ObjectMeta',
    ],
  ] as const) {
    it(`is refused for ${JSON.stringify(value)}`, () => {
      assert.deepEqual(validated({ ...embedded, default: value }).problems, [`${at}${problem}`]);
      const inside = { type: "object", properties: { p: embedded }, default: { p: value } };
      assert.deepEqual(validated(inside).problems, [`${at}.p${problem}`]);
    });
  }
});
