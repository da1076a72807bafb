import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { compileRootSchema, StructuralKind } from "@gatehouse/policies/structural-schemas";
import { definitionOf, errorsOfCreate } from "./definition.test.support.js";

interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** A schema, and the causes for which v1.29 refuses a definition that has it. */
interface RecordedSchema {
  readonly schema: JsonObject;
  readonly causes: readonly Cause[];
}

/** Reads the answers of recorded/record.mjs. Properties that many schemas share stand in the first line. */
function recordedSchemas(): readonly RecordedSchema[] {
  const source = import.meta.url.replace("/dist/", "/src/");
  const lines = readFileSync(new URL("recorded/definitions.jsonl", source), "utf8").trimEnd().split("\n");
  const wide = JSON.stringify((JSON.parse(lines[0] as string) as { wide: unknown }).wide);
  return lines.slice(1).map((line) => JSON.parse(line.replaceAll('"wide"', () => wide)) as RecordedSchema);
}

const root = "spec.validation.openAPIV3Schema";

/** Reports whether v1.29 looks at the costs of a definition that it refuses for this reason. */
function isOfRules(reason: string): boolean {
  return reason === "FieldValueForbidden" || reason === "FieldValueInvalid";
}

function causesOf(schema: JsonObject): readonly Cause[] {
  return errorsOfCreate(definitionOf(schema)).map(({ type, field, message }) => ({ reason: type, field, message }));
}

/**
 * Returns causes in an order of their own: v1.29 looks at properties in any order. Names of types and addresses in memory
 * differ from time to time.
 */
function comparable(causes: readonly Cause[]): readonly string[] {
  return causes
    .map((cause) =>
      JSON.stringify(cause)
        .replace(/selfType\d+/g, "selfType")
        .replace(/\(0x[0-9a-f]+\)/g, "(0x0)"),
    )
    .sort();
}

describe("The rules of a definition", () => {
  const recorded = recordedSchemas();

  test("have been recorded by the hundred, accepted and refused ones", () => {
    const refused = recorded.filter(({ causes }) => causes.length > 0);
    assert.ok(refused.length > 150 && recorded.length - refused.length > 150);
  });

  for (const { schema, causes } of recorded) {
    const verdict = causes.length === 0 ? "accepted" : "refused for the same causes";
    test(`are ${verdict} as by v1.29: ${JSON.stringify(schema).replace(/"properties":\{"text".*?"has":\{[^}]*\}\}/, "...")}`, () => {
      assert.deepEqual(comparable(causesOf(schema)), comparable(causes));
    });
  }

  test("cost too much by StructuralKind, which needs no server, exactly where v1.29 refuses them for that", () => {
    const isCost = (text: string): boolean => text.includes("cost");
    let costly = 0;
    for (const { schema, causes } of recorded.filter(({ causes: all }) =>
      all.every(({ reason }) => isOfRules(reason)),
    )) {
      const source = schema;
      const kind = { group: "example.com", kind: "Test", apiVersion: "example.com/v1", scale: undefined };
      const found = new StructuralKind({ ...kind, source, schema: compileRootSchema(source) }).compileRules();
      const told = found
        .map(({ path, problem }) => `${path === "" ? root : `${root}.${path}`} ${problem}`)
        .filter(isCost);
      const expected = causes
        .map(({ field, message }) => `${field} ${message.replace(/^Forbidden: /, "")}`)
        .filter(isCost);
      assert.deepEqual(told.sort(), expected.sort(), JSON.stringify(schema));
      costly += expected.length;
    }
    assert.ok(costly > 50, `${costly} problems of cost were compared`);
  });
});
