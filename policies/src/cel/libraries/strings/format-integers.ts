import { EvaluationError } from "../../values/evaluation-error.js";
import { isInt, typeName } from "../../values/type-name.js";
import { type CelValue, Uint } from "../../values/value.js";

/** Formats an integer (`%d`). */
export function formatDecimal(value: CelValue): string {
  return digitsOf(value, 10) ?? fail("decimal clause can only be used on integers", value);
}

/** Formats an integer or boolean (`%b`). */
export function formatBinary(value: CelValue): string {
  if (typeof value === "boolean") {
    return value ? "1" : "0";
  }
  return digitsOf(value, 2) ?? fail("only integers and bools can be formatted as binary", value);
}

/** Formats an integer (`%o`). */
export function formatOctal(value: CelValue): string {
  return digitsOf(value, 8) ?? fail("octal clause can only be used on integers", value);
}

/** Formats an integer, or the bytes of a text (`%x`). */
export function formatHexadecimal(value: CelValue): string {
  if (typeof value === "string" || value instanceof Uint8Array) {
    return Buffer.from(value as string).toString("hex");
  }
  const problem = "only integers, byte buffers, and strings can be formatted as hex";
  return digitsOf(value, 16) ?? fail(problem, value);
}

function digitsOf(value: CelValue, base: number): string | undefined {
  if (isInt(value)) {
    return value.toString(base);
  }
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

function fail(problem: string, value: CelValue): never {
  throw new EvaluationError(`${problem}, was given ${typeName(value)}`);
}
