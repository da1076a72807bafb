import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { definitionOf, errorsOfCreate, errorsOfUpdate, textsOf } from "./definition.test.support.js";

const large = "a".repeat(5001);
const otherLarge = "b".repeat(5001);

/** Returns a definition whose only version has a property for each pattern. */
function definition(...patterns: readonly string[]): JsonObject {
  const properties = Object.fromEntries(
    patterns.map((pattern, index) => [`p${index}`, { type: "string", pattern }] as const),
  );
  return definitionOf({ type: "object", properties });
}

const problemsOfCreate = (wanted: JsonObject): readonly string[] => textsOf(errorsOfCreate(wanted));
const problemsOfUpdate = (next: JsonObject, old: JsonObject): readonly string[] => textsOf(errorsOfUpdate(next, old));

const tooLarge = (index: number, pattern: string): string =>
  `spec.validation.openAPIV3Schema.properties[p${index}].pattern: Invalid value: "${pattern}": ` +
  `must be a valid regular expression, but isn't: error parsing regexp: expression too large: \`${pattern}\``;

describe("A pattern beyond the limit of size", () => {
  it("is refused in a new definition", () => {
    const problems = problemsOfCreate(definition(large));
    assert.deepEqual(problems, [tooLarge(0, large)]);
  });

  it("stays allowed in an update of a definition that was stored with it, wherever it moves to", () => {
    assert.deepEqual(problemsOfUpdate(definition(large), definition(large)), []);
    assert.deepEqual(problemsOfUpdate(definition("a", large), definition(large)), []);
  });

  it("is refused in an update that adds it, though another such pattern was stored", () => {
    assert.deepEqual(problemsOfUpdate(definition(large, otherLarge), definition(large)), [tooLarge(1, otherLarge)]);
  });

  it("does not excuse a pattern that was stored and is no regular expression", () => {
    assert.deepEqual(problemsOfUpdate(definition("a("), definition("a(")), [
      'spec.validation.openAPIV3Schema.properties[p0].pattern: Invalid value: "a(": ' +
        "must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `a(`",
    ]);
  });
});

describe("A rule that may cost too much", () => {
  /** Returns a definition whose rule may cost about twice as much as a rule may. */
  function costly(description: string): JsonObject {
    const rule = { rule: "self.all(x, self.all(y, x == y))" };
    const list = { type: "array", maxItems: 1500, items: { type: "integer" }, "x-kubernetes-validations": [rule] };
    return definitionOf({ type: "object", description, properties: { list } });
  }

  it("is refused in a new definition", () => {
    const problems = problemsOfCreate(costly("new"));
    assert.equal(problems.length, 1);
    assert.match(problems[0] as string, /estimated rule cost exceeds budget by factor of \d\.\d+x/);
  });

  it("is kept with an unchanged schema", () => {
    assert.deepEqual(problemsOfUpdate(costly("same"), costly("same")), []);
  });

  it("is refused with a schema that has changed elsewhere", () => {
    assert.equal(problemsOfUpdate(costly("other"), costly("same")).length, 1);
  });
});

describe("A version with empty subresources", () => {
  it("is shown with them, unlike one without any", () => {
    const two = definition();
    const spec = two["spec"] as JsonObject & { versions: JsonObject[] };
    const version = (name: string, more: JsonObject) => ({ ...spec.versions[0], name, storage: false, ...more });
    spec.versions = [version("v1", { subresources: {} }), version("v2", {})];
    const shown = problemsOfCreate(two).find((problem) => problem.includes("marked as storage version")) ?? "";
    assert.deepEqual(
      shown.match(/Subresources:\(\*apiextensions\.CustomResourceSubresources\)\((?:nil|0x[0-9a-f]+)\)/g),
      [
        "Subresources:(*apiextensions.CustomResourceSubresources)(0xc000000000)",
        "Subresources:(*apiextensions.CustomResourceSubresources)(nil)",
      ],
    );
  });
});

describe("Two versions of one name", () => {
  it("are reported with the stored version, which v1.29 finds for the first of them only", () => {
    const twice = definition();
    const spec = twice["spec"] as JsonObject & { versions: JsonObject[] };
    spec.versions = [...spec.versions, ...structuredClone(spec.versions)];
    const problems = problemsOfCreate(twice);
    assert.deepEqual(
      problems.map((problem) => problem.replace(/Invalid value: \[\]apiextensions.*: must/, "must")),
      [
        "spec.versions: must contain unique version names",
        "spec.versions: must have exactly one version marked as storage version",
        'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v1',
      ],
    );
  });
});
