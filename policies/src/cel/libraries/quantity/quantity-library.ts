import { DecodeError } from "@gatehouse/envelopes/errors";
import { opaqueType } from "../../types/cel-type.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import { doubleValue } from "../../values/numbers.js";
import type { CelValue } from "../../values/value.js";
import type { FunctionDefinition, Library } from "../library.js";
import { typedCall } from "../typed-call.js";
import { type QuantityValue, quantityOf, quantityOfInt } from "./quantity-value.js";

const type = "kubernetes.Quantity";

function member(name: string, rest: string, call: (quantity: QuantityValue, other: QuantityValue) => CelValue) {
  return { name, overloads: [{ signature: `${type}.${rest}`, call: typedCall(call) }] } satisfies FunctionDefinition;
}

function arithmetic(
  name: string,
  call: (left: QuantityValue, right: QuantityValue) => QuantityValue,
): FunctionDefinition {
  return {
    name,
    overloads: [
      { signature: `${type}.(${type}) -> ${type}`, call: typedCall(call) },
      {
        signature: `${type}.(int) -> ${type}`,
        call: typedCall((left: QuantityValue, right: number | bigint) => call(left, quantityOfInt(right))),
      },
    ],
  };
}

/** The functions of amounts with units. */
export const quantities: Library = {
  name: "quantity",
  introduced: [1, 28],
  types: new Map([[type, opaqueType(type)]]),
  functions: [
    { name: "quantity", overloads: [{ signature: `(string) -> ${type}`, call: typedCall(parse) }] },
    { name: "isQuantity", overloads: [{ signature: "(string) -> bool", call: typedCall(isQuantity) }] },
    {
      name: "sign",
      overloads: [
        {
          signature: `(${type}) -> int`,
          call: typedCall(({ quantity }: QuantityValue) => Math.sign(Number(quantity.unscaled))),
        },
      ],
    },
    member("isGreaterThan", `(${type}) -> bool`, (left, right) => left.compareTo(right) > 0),
    member("isLessThan", `(${type}) -> bool`, (left, right) => left.compareTo(right) < 0),
    member("compareTo", `(${type}) -> int`, (left, right) => left.compareTo(right)),
    member("asApproximateFloat", "() -> double", (quantity) => doubleValue(quantity.approximateFloat)),
    member("asInteger", "() -> int", toInteger),
    member("isInteger", "() -> bool", ({ integer }) => integer !== undefined),
    arithmetic("add", (left, right) => left.plus(right)),
    arithmetic("sub", (left, right) => left.minus(right)),
  ],
};

function parse(text: string): QuantityValue {
  try {
    return quantityOf(text);
  } catch (error) {
    throw error instanceof DecodeError ? new EvaluationError(error.message) : error;
  }
}

function isQuantity(text: string): boolean {
  try {
    quantityOf(text);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) {
      return false;
    }
    throw error;
  }
}

function toInteger({ integer }: QuantityValue): number | bigint {
  if (integer === undefined) {
    throw new EvaluationError("cannot convert value to integer");
  }
  return integer;
}
