import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { defaultFeatureGates } from "@gatehouse/apiserver/options";
import type { StrategyContext, ValidationSteps } from "@gatehouse/apiserver/registry";
import { FieldErrors } from "@gatehouse/apiserver/validation";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { customResourceDefinitionValidation } from "./index.js";

const large = "a".repeat(5001);
const otherLarge = "b".repeat(5001);

/** Returns a definition whose only version has a property for each pattern. */
function definition(...patterns: readonly string[]): JsonObject {
  const properties = Object.fromEntries(
    patterns.map((pattern, index) => [`p${index}`, { type: "string", pattern }] as const),
  );
  const names = { plural: "tests", singular: "test", kind: "Test", listKind: "TestList" };
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "tests.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names,
      versions: [{ name: "v1", served: true, storage: true, schema }],
      conversion: { strategy: "None" },
    },
    status: { storedVersions: ["v1"] },
  };
}

const context = { features: defaultFeatureGates() } as StrategyContext;

/** Returns the errors that rules find, after running all of their work. */
function problemsOf(check: (errors: FieldErrors) => ValidationSteps): readonly string[] {
  const errors = new FieldErrors();
  const work = check(errors);
  while (work?.next().done === false) {
    // Each step only lets others have their turn.
  }
  return errors.list.map(({ field, message }) => `${field}: ${message}`);
}

function problemsOfUpdate(next: JsonObject, old: JsonObject): readonly string[] {
  return problemsOf((errors) => customResourceDefinitionValidation.update(next, old, errors, context));
}

const tooLarge = (index: number, pattern: string): string =>
  `spec.validation.openAPIV3Schema.properties[p${index}].pattern: Invalid value: "${pattern}": ` +
  `must be a valid regular expression, but isn't: error parsing regexp: expression too large: \`${pattern}\``;

describe("A pattern beyond the limit of size", () => {
  it("is refused in a new definition", () => {
    const problems = problemsOf((errors) =>
      customResourceDefinitionValidation.create(definition(large), errors, context),
    );
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
    const wanted = definition();
    const rule = { rule: "self.all(x, self.all(y, x == y))" };
    const list = { type: "array", maxItems: 1500, items: { type: "integer" }, "x-kubernetes-validations": [rule] };
    const schema = { type: "object", description, properties: { list } };
    const spec = wanted["spec"] as JsonObject;
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } };
    return { ...wanted, spec: { ...spec, versions: [version] } };
  }

  it("is refused in a new definition", () => {
    const problems = problemsOf((errors) => customResourceDefinitionValidation.create(costly("new"), errors, context));
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

describe("Two versions of one name", () => {
  it("are reported with the stored version, which v1.29 finds for the first of them only", () => {
    const twice = definition();
    const spec = twice["spec"] as JsonObject & { versions: JsonObject[] };
    spec.versions = [...spec.versions, ...structuredClone(spec.versions)];
    const problems = problemsOf((errors) => customResourceDefinitionValidation.create(twice, errors, context));
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
