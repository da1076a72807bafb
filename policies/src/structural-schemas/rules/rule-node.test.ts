import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import { TraceRecorder } from "../../cel/tracing/index.js";
import { evaluateRules } from "./evaluate-rules.js";
import { rulesOfSchema } from "./rule-node.js";

const rule = (text: string): JsonObject => ({ rule: text });

const schema: JsonObject = {
  type: "object",
  properties: { a: { type: "integer" }, list: { type: "array", items: { type: "integer" } } },
  "x-kubernetes-validations": ["self.a > 0", "self.a < 9", "self.list.size() < 3"].map(rule),
};
const options = { old: undefined, compared: undefined, evaluatesOptionalOldSelf: false };

describe("A node of a schema with rules", () => {
  test("is compiled once for writes that come together, and all of them meet all of its rules", () => {
    const compiled: string[] = [];
    const node = rulesOfSchema(schema, false, (path) => () => {
      compiled.push(path);
      return new TraceRecorder(() => {});
    });
    assert.ok(node);
    const writes = [1, 2, 3].map(() => evaluateRules(node, { a: 10, list: [1, 2, 3] }, options));
    const outcomes: (readonly string[])[] = [];
    while (outcomes.length < writes.length) {
      for (const write of writes) {
        const { done, value } = write.next();
        if (done === true && value !== undefined) {
          outcomes.push(value.errors.map(({ message }) => message));
        }
      }
    }
    assert.deepEqual(
      compiled,
      [0, 1, 2].map((index) => `x-kubernetes-validations[${index}].rule`),
    );
    const broken = ["self.a < 9", "self.list.size() < 3"].map(
      (text) => `Invalid value: "object": failed rule: ${text}`,
    );
    assert.deepEqual(outcomes, [broken, broken, broken]);
  });

  test("may build messages, but not return one around a boolean, as in v1.29", () => {
    const problemsOf = (text: string) =>
      rulesOfSchema({ ...schema, "x-kubernetes-validations": [rule(text)] }, false)
        ?.compileAll()
        .map(({ problem }) => problem);
    assert.deepEqual(problemsOf("google.protobuf.BoolValue{value: true}"), ["cel expression must evaluate to a bool"]);
    const rules = [
      "!google.protobuf.BoolValue{value: false} && self.a == google.protobuf.Int32Value{value: 1}",
      "google.protobuf.ListValue{values: self.list}.size() == 2",
      "google.protobuf.Struct{fields: {'a': self.a}}.a == 1.0",
      "google.protobuf.Duration{seconds: self.a} < duration('1h')",
    ];
    assert.deepEqual(rules.map(problemsOf), [[], [], [], []]);
    const node = rulesOfSchema({ ...schema, "x-kubernetes-validations": rules.map(rule) }, false);
    assert.ok(node);
    assert.deepEqual(finishSteps(evaluateRules(node, { a: 1, list: [1, 2] }, options)).errors, []);
  });

  test("has the time of its steps measured, and not the time between them", () => {
    let seconds = 0;
    const measured: string[] = [];
    const metrics = {
      // Time stands still while rules are evaluated, and goes on between the steps.
      now: () => seconds,
      compiled: (took: number) => measured.push(`compiled in ${took} s`),
      evaluated: (took: number) => measured.push(`evaluated in ${took} s`),
      ratcheted: () => measured.push("ratcheted"),
    };
    const text = "self.list.all(x, self.list.all(y, x + y > 0))";
    const costly = { ...schema, "x-kubernetes-validations": [rule(text), rule(text)] };
    const node = rulesOfSchema(costly, false);
    assert.ok(node);
    const list = Array.from({ length: 200 }, (_item, index) => index + 1);
    const steps = evaluateRules(node, { a: 1, list }, { ...options, metrics });
    let count = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) {
      seconds++;
      count++;
    }
    assert.ok(count > 2, "the evaluation itself ends steps, beside the compilation of two rules");
    assert.deepEqual(measured, ["compiled in 0 s", "evaluated in 0 s"]);
    assert.deepEqual(finishSteps(node.compile()).length, 2);
  });
});
