import { EvaluationError } from "../../values/evaluation-error.js";
import { doubleValue, numberOf } from "../../values/numbers.js";
import { isDouble, isInt, isList, isMap, itemsOf, typeName } from "../../values/type-name.js";
import { type CelValue, Duration, OpaqueValue, Optional, Timestamp, TypeValue, Uint } from "../../values/value.js";
import { EmptyMessage } from "./empty-message.js";

/** Converts a value to one that a field of a message can hold. Throws EvaluationError with v1.29's text. */
export type FieldConversion = (value: CelValue) => CelValue;

const minInt32 = -(2 ** 31);
const maxInt32 = 2 ** 31 - 1;
const maxUint32 = 2n ** 32n - 1n;

/** Converts to a boolean. */
export const toBoolField = conversionTo("bool", (value) => (typeof value === "boolean" ? value : undefined));

/** Converts to a string. */
export const toStringField = conversionTo("string", (value) => (typeof value === "string" ? value : undefined));

/** Converts to an int of 64 bits. */
export const toInt64Field = conversionTo("int64", (value) => (isInt(value) ? value : undefined));

/** Converts to an int of 32 bits. */
export const toInt32Field = conversionTo("int32", int32Of);

/** Converts to the number of an enumeration. */
export const toEnumField = conversionTo("protoreflect.EnumNumber", int32Of);

/** Converts to an unsigned int of 64 bits. */
export const toUint64Field = conversionTo("uint64", (value) => (value instanceof Uint ? value : undefined));

/** Converts to an unsigned int of 32 bits. */
export const toUint32Field = conversionTo("uint32", (value) => {
  if (value instanceof Uint && value.value > maxUint32) {
    throw new EvaluationError("unsigned integer overflow");
  }
  return value instanceof Uint ? value : undefined;
});

/** Converts to a double. */
export const toDoubleField = conversionTo("float64", (value) => (isDouble(value) ? value : undefined));

/** Converts to the nearest number of 32 bits. */
export const toFloatField = conversionTo("float32", (value) =>
  isDouble(value) ? doubleValue(Math.fround(numberOf(value))) : undefined,
);

/** Converts to bytes. An empty list becomes no bytes, as in v1.29. */
export const toBytesField = conversionTo("[]uint8", (value) => {
  if (!isList(value)) {
    return value instanceof Uint8Array ? value : undefined;
  }
  const [first] = itemsOf(value);
  if (first !== undefined) {
    throw refusal(first, "uint8");
  }
  return new Uint8Array();
});

/** Returns a conversion that converts what an optional value holds. */
export function conversionTo(target: string, convert: (value: CelValue) => CelValue | undefined): FieldConversion {
  return (value) => {
    const present = value instanceof Optional ? presentValue(value) : value;
    const converted = convert(present);
    if (converted === undefined) {
      throw refusal(present, target);
    }
    return converted;
  };
}

function presentValue(optional: Optional): CelValue {
  if (optional.value === undefined) {
    throw new EvaluationError("optional.none() dereference");
  }
  return optional.value instanceof Optional ? presentValue(optional.value) : optional.value;
}

function int32Of(value: CelValue): CelValue | undefined {
  if (isInt(value) && (value < minInt32 || value > maxInt32)) {
    throw new EvaluationError("integer overflow");
  }
  return isInt(value) ? value : undefined;
}

/** Returns the error for a value that does not become what a field holds. Each type has a text of its own in v1.29. */
function refusal(value: CelValue, target: string): EvaluationError {
  if (value instanceof TypeValue) {
    return new EvaluationError("type conversion not supported for 'type'");
  }
  if (typeof value === "string") {
    return new EvaluationError(`unsupported native conversion from string to '${target}'`);
  }
  if (isInt(value) || value instanceof Uint) {
    return new EvaluationError(`unsupported type conversion from '${typeName(value)}' to ${target}`);
  }
  return new EvaluationError(`type conversion error from ${sourceName(value)} to '${target}'`);
}

function sourceName(value: CelValue): string {
  if (isDouble(value)) {
    return "Double";
  }
  if (value instanceof Uint8Array) {
    return "Bytes";
  }
  if (value instanceof Duration) {
    return "'Duration'";
  }
  if (value instanceof Timestamp) {
    return "'Timestamp'";
  }
  if (value instanceof EmptyMessage) {
    return "'*dynamicpb.Message'";
  }
  if (value instanceof OpaqueValue) {
    return `'${value.typeName.replace(/^kubernetes\.(?=Quantity$|URL$)/, "")}'`;
  }
  return typeof value === "boolean" || isList(value) || isMap(value) ? typeName(value) : `'${typeName(value)}'`;
}
