import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { storedExpressions } from "../cel/index.js";
import { compileTypedExpression } from "./compile-typed-expression.js";

describe("An expression whose type is limited", () => {
  it("is refused if its value is a message around a value of that type, as in v1.29", () => {
    const { problem } = compileTypedExpression("google.protobuf.BoolValue{value: true}", storedExpressions, ["bool"]);
    assert.equal(problem, "must evaluate to bool");
  });

  it("may use such a value in an operation that has the type", () => {
    const { problem } = compileTypedExpression("!google.protobuf.BoolValue{}", storedExpressions, ["bool"]);
    assert.equal(problem, undefined);
  });
});
