import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toUint } from "../../values/conversion.js";
import { typeName } from "../../values/type-name.js";
import { type CelValue, TypeValue } from "../../values/value.js";
import type { FunctionDefinition, Overload } from "../library.js";
import { decodingCost, encodingCost } from "./costs.js";

/** Functions that convert values to other types. */
export const conversions: readonly FunctionDefinition[] = [
  conversion("bool", toBool, ["bool", "string"]),
  conversion("bytes", toBytes, ["bytes"], { string: encodingCost }),
  conversion("double", toDouble, ["double", "int", "string", "uint"]),
  conversion("duration", toDuration, ["duration", "int", "string"]),
  conversion("int", toInt, ["int", "double", "duration", "string", "timestamp", "uint"]),
  conversion("string", toText, ["string", "bool"], { bytes: decodingCost }, [
    "double",
    "duration",
    "int",
    "timestamp",
    "uint",
  ]),
  conversion("timestamp", toTimestamp, ["timestamp", "int", "string"]),
  conversion("uint", toUint, ["uint", "double", "int", "string"]),
  { name: "type", overloads: [{ ...folded("(A) -> type(A)", typeOf), checksArguments: true }] },
  { name: "dyn", overloads: [{ ...folded("(A) -> dyn", (value) => value), checksArguments: true }] },
];

function conversion(
  name: string,
  call: (value: CelValue) => CelValue,
  types: readonly string[],
  costly: Readonly<Record<string, Pick<Overload, "cost" | "estimate">>> = {},
  more: readonly string[] = [],
): FunctionDefinition {
  const form = (type: string) => folded(`(${type}) -> ${name}`, call);
  const costlyForms = Object.entries(costly).map(([type, cost]) => ({ ...form(type), ...cost }));
  return { name, overloads: [...types.map(form), ...costlyForms, ...more.map(form)] };
}

function folded(signature: string, call: (value: CelValue) => CelValue): Overload {
  return { signature, call: call as Overload["call"], foldsLiteral: true };
}

function typeOf(value: CelValue): TypeValue {
  return new TypeValue(typeName(value));
}
