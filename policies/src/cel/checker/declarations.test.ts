import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newExpressions, storedExpressions } from "../environment.js";
import { libraries } from "../libraries/index.js";
import type { FunctionDefinition, Library } from "../libraries/library.js";
import { type CelType, intType, opaqueType, stringType } from "../types/cel-type.js";
import { typeText } from "../types/type-text.js";
import { Declarations } from "./declarations.js";
import { readSignature } from "./read-signature.js";

const quantity = opaqueType("kubernetes.Quantity");
const types = new Map<string, CelType>([["kubernetes.Quantity", quantity]]);

function library(name: string, ...signatures: readonly string[]): Library {
  const definition: FunctionDefinition = {
    name: "f",
    overloads: signatures.map((signature) => ({ signature, call: () => null })),
  };
  return { name, introduced: [1, 0], functions: [definition] };
}

describe("a signature", () => {
  test("tells the types of arguments and result, and whether it is of a member function", () => {
    const { isMember, argumentTypes, resultType, parameters } = readSignature(
      "list(A).(map(string, A), optional(B), kubernetes.Quantity) -> type(B)",
      types,
    );
    assert.equal(isMember, true);
    assert.deepEqual(argumentTypes.map(typeText), ["list(A)", "map(string, A)", "optional(B)", "kubernetes.Quantity"]);
    assert.equal(typeText(resultType), "type(B)");
    assert.deepEqual(parameters, ["A", "B"]);
    assert.equal(readSignature("() -> dyn", types).isMember, false);
  });

  for (const text of [
    "",
    "(int)",
    "(int -> int",
    "(int) -> Nope",
    "(list) -> int",
    "(int(string)) -> int",
    "() -> int int",
  ]) {
    test(`that cannot be read is refused: ${text || "nothing"}`, () => {
      assert.throws(() => readSignature(text, types), TypeError);
    });
  }
});

describe("declarations", () => {
  test("join the overloads that libraries add to one function", () => {
    const declared = Declarations.of([library("a", "(int) -> int"), library("b", "(string) -> int", "int.() -> int")]);
    assert.deepEqual(
      declared.overloads("f")?.map(({ overload }) => overload.signature),
      ["(int) -> int", "(string) -> int", "int.() -> int"],
    );
    assert.equal(declared.overloads("g"), undefined);
  });

  test("are refused if two libraries declare one overload", () => {
    const declared = Declarations.of([library("a", "(int) -> int"), library("b", "(int) -> bool")]);
    assert.throws(() => declared.overloads("f"), TypeError);
  });

  test("of all libraries can be read, in the environments of all releases", () => {
    for (const declared of [newExpressions, storedExpressions]) {
      for (const { name } of libraries.flatMap(({ functions }) => functions)) {
        assert.doesNotThrow(() => declared.overloads(name));
      }
    }
  });

  test("stay as they are when variables are added", () => {
    const before = Declarations.of([]).withVariables(new Map([["a", intType]]));
    const after = before.withVariables(new Map([["b", stringType]]));
    assert.equal(before.variable("b"), undefined);
    assert.deepEqual([after.variable("a"), after.variable("b")], [intType, stringType]);
  });

  test("let expressions name types, but not those that only functions look into", () => {
    const declared = Declarations.of([
      { name: "a", introduced: [1, 0], functions: [], types: new Map<string, CelType>([...types, ["int", intType]]) },
    ]);
    assert.equal(declared.namedType("int"), intType);
    assert.equal(declared.namedType("kubernetes.Quantity"), undefined);
    assert.equal(declared.namedType("Nope"), undefined);
  });

  test("take settings from the libraries that have them", () => {
    const setting: Library = { name: "s", introduced: [1, 0], functions: [], settings: { presenceTestCost: 0 } };
    assert.equal(Declarations.of([]).settings.presenceTestCost, 1);
    assert.equal(Declarations.of([setting]).settings.presenceTestCost, 0);
  });
});
