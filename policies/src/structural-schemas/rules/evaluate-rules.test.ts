import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import { compileRootSchema } from "../compile-schema.js";
import { StructuralKind } from "../structural-kind.js";

interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

/** An object, the one that it replaces, and the causes for which v1.29 refuses it. */
interface RecordedObject {
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly subresource?: string;
  readonly causes: readonly Cause[];
}

interface RecordedKind {
  readonly schema: JsonObject;
  /** Set if objects have a /status subresource. */
  readonly status?: true;
  readonly cases: readonly RecordedObject[];
}

function recordedKinds(): readonly RecordedKind[] {
  const source = import.meta.url.replace("/dist/", "/src/");
  const lines = readFileSync(new URL("recorded/objects.jsonl", source), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RecordedKind);
}

/** Returns the causes for which an object is refused. */
function causesOf(source: JsonObject, { object, old, subresource = "" }: RecordedObject): readonly Cause[] {
  const kind = new StructuralKind({
    group: "example.com",
    kind: "Test",
    apiVersion: "example.com/v1",
    source,
    schema: compileRootSchema(source),
    scale: undefined,
  });
  const whole = (content: JsonObject): JsonObject => ({
    apiVersion: "example.com/v1",
    kind: "Test",
    metadata: { name: "test" },
    ...content,
  });
  const write = { old: old && whole(old), isStatus: subresource === "status", metaErrors: [], ratchets: false };
  const { errors } = finishSteps(kind.validate(whole(object), write));
  return errors.length === 0
    ? []
    : ((kind.refusal(whole(object), errors).status.details?.causes ?? []) as unknown as readonly Cause[]);
}

/** Returns the object as the server stores it: only /status changes the status, and it changes nothing else. */
function asStored({ object, old, subresource, causes }: RecordedObject, hasStatus: boolean): RecordedObject {
  const { status, ...rest } = object;
  const kept = old?.["status"] === undefined ? {} : { status: old["status"] };
  const stored = !hasStatus
    ? object
    : subresource === "status"
      ? { ...old, ...(status === undefined ? {} : { status }) }
      : { ...rest, ...kept };
  return { object: stored, causes, ...(old && { old }), ...(subresource && { subresource }) };
}

function comparable(causes: readonly Cause[]): readonly string[] {
  return causes.map(({ reason, field, message }) => JSON.stringify({ reason, field, message })).sort();
}

describe("The rules of a schema", () => {
  const kinds = recordedKinds();

  test("have been recorded with hundreds of objects", () => {
    assert.ok(kinds.flatMap(({ cases }) => cases).length >= 300);
  });

  for (const { schema, status = false, cases } of kinds) {
    for (const recorded of cases) {
      const verdict = recorded.causes.length === 0 ? "accept" : "refuse";
      const shown = JSON.stringify({ old: recorded.old, object: recorded.object }).slice(0, 200);
      test(`${verdict} as v1.29 does ${shown} by ${JSON.stringify(schema).slice(0, 200)}`, () => {
        assert.deepEqual(comparable(causesOf(schema, asStored(recorded, status))), comparable(recorded.causes));
      });
    }
  }
});

/** Returns the steps in which the rules of a property are evaluated. */
function stepsOf(property: JsonObject, value: JsonValue): number {
  const source: JsonObject = { type: "object", properties: { property } };
  const schema = compileRootSchema(source);
  const apiVersion = "example.com/v1";
  const kind = new StructuralKind({ group: "example.com", kind: "Test", apiVersion, source, schema, scale: undefined });
  const object = { apiVersion, kind: "Test", metadata: { name: "test" }, property: value };
  const write = { old: undefined, isStatus: false, metaErrors: [], ratchets: false };
  let steps = 0;
  const validation = kind.validate(object, write);
  for (let step = validation.next(); ; step = validation.next()) {
    if (step.done === true) {
      assert.deepEqual(step.value.errors, []);
      return steps;
    }
    steps++;
  }
}

test("rules give way to other work after each that does much work, whatever it costs", () => {
  const stepsWith = (rule: string): number => {
    const text = { type: "string", "x-kubernetes-validations": Array.from({ length: 20 }, () => ({ rule })) };
    return stepsOf(text, "a".repeat(14_000));
  };
  assert.equal(stepsWith("!self.matches('[ab]*a[ab]{200}c')") - stepsWith("self != ''"), 20);
});

test("a rule that loops for long gives way to other work in its loops", () => {
  const list = {
    type: "array",
    items: { type: "integer" },
    "x-kubernetes-validations": [{ rule: "self.all(x, self.all(y, x + y >= 0))" }],
  };
  const items = Array.from({ length: 300 }, (_item, index) => index);
  assert.ok(stepsOf(list, items) - stepsOf(list, [1]) >= 4);
});
