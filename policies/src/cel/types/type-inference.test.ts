import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type CelType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
} from "./cel-type.js";
import { TypeInference, TypesTooComplex } from "./type-inference.js";
import { typeText } from "./type-text.js";

describe("a value may stand", () => {
  const fits: readonly [from: CelType, to: CelType, fits: boolean][] = [
    [intType, intType, true],
    [intType, stringType, false],
    [listType(intType), listType(dynType), true],
    [listType(intType), listType(stringType), false],
    [mapType(stringType, intType), mapType(stringType, dynType), true],
    [dynType, intType, true],
    [nullType, timestampType, true],
    [durationType, nullType, true],
    [nullType, optionalType(intType), true],
    [nullType, opaqueType("kubernetes.URL"), true],
    [nullType, intType, false],
    [nullType, listType(intType), false],
    [opaqueType("a"), opaqueType("b"), false],
    [{ kind: "type", of: intType }, { kind: "type", of: stringType }, true],
  ];
  for (const [from, to, expected] of fits) {
    test(`${expected ? "" : "not "}where ${typeText(to)} is expected, if it is ${typeText(from)}`, () => {
      assert.equal(new TypeInference().isAssignable(from, to), expected);
    });
  }
});

describe("a type parameter", () => {
  test("stands for the type that it was found to be", () => {
    const inference = new TypeInference();
    const parameter = inference.newParameter();
    assert.ok(inference.isAssignable(listType(intType), listType(parameter)));
    assert.equal(typeText(inference.resolve(optionalType(parameter))), "optional(int)");
    assert.equal(inference.isAssignable(stringType, parameter), false);
  });

  test("is dyn at the end, if nothing was found", () => {
    const inference = new TypeInference();
    const parameter = inference.newParameter();
    assert.equal(typeText(inference.resolve(listType(parameter))), "list(_var0)");
    assert.equal(typeText(inference.resolveToDyn(listType(parameter))), "list(dyn)");
  });

  test("becomes more general with a more general type", () => {
    const inference = new TypeInference();
    const parameter = inference.newParameter();
    assert.ok(inference.areAssignable([intType, dynType], [parameter, parameter]));
    assert.equal(inference.resolve(parameter), dynType);
  });

  test("is forgotten if the whole does not fit", () => {
    const inference = new TypeInference();
    const parameter = inference.newParameter();
    assert.equal(inference.areAssignable([intType, stringType], [parameter, parameter]), false);
    assert.equal(inference.resolve(parameter), parameter);
  });

  test("is never part of the type that it stands for", () => {
    const inference = new TypeInference();
    const [first, second] = [inference.newParameter(), inference.newParameter()];
    assert.ok(inference.isAssignable(listType(first), second));
    assert.equal(inference.isAssignable(first, listType(second)), false);
    assert.equal(inference.isAssignable(first, { kind: "type", of: first }), false);
  });
});

test("A type that has too many parts is refused", () => {
  let type: CelType = intType;
  for (let depth = 0; depth < 60; depth++) {
    type = mapType(type, type);
  }
  assert.throws(() => new TypeInference().bounded(type), TypesTooComplex);
});
