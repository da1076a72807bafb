import { toText } from "../../values/conversion.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import { entryAt, keysOf } from "../../values/maps.js";
import { doubleValue } from "../../values/numbers.js";
import { isDouble, isInt, isList, isMap, itemsOf, type MapValue } from "../../values/type-name.js";
import { CelMap, type CelValue, Duration, Timestamp, Uint } from "../../values/value.js";
import { countWork } from "../../values/work.js";
import { EmptyMessage } from "./empty-message.js";
import { conversionTo, toStringField } from "./field-conversions.js";

/** The work of converting one value to JSON. */
const valueWork = 30;

/**
 * Converts to JSON as protocol buffers hold it: every number is a double, and ints that a double does not hold are texts, as
 * are bytes (base64), timestamps and durations.
 */
export const toJsonField = conversionTo("*structpb.Value", (value) => {
  countWork(valueWork);
  if (value === null || typeof value === "boolean" || typeof value === "string" || isDouble(value)) {
    return value;
  }
  if (isInt(value)) {
    return typeof value === "number" && Number.isSafeInteger(value) ? doubleValue(value) : String(value);
  }
  if (isList(value)) {
    return itemsOf(value).map(toJsonField);
  }
  return isMap(value) ? jsonObject(value) : jsonOfObject(value);
});

/** Converts to a JSON object. */
export const toJsonObjectField = conversionTo("*structpb.Struct", (value) => {
  refuseEmptyMessage(value, "google.protobuf.Struct");
  return isMap(value) ? jsonObject(value) : undefined;
});

/** Converts to a JSON list. A map becomes one as v1.29 makes it, which takes it for the list's message. */
export const toJsonListField = conversionTo("*structpb.ListValue", (value) => {
  refuseEmptyMessage(value, "google.protobuf.ListValue");
  const items = isMap(value) ? itemsOfMessage(value) : value;
  return isList(items) ? itemsOf(items).map(toJsonField) : undefined;
});

function refuseEmptyMessage(value: CelValue, wanted: string): void {
  if (value instanceof EmptyMessage) {
    const message = "type conversion error: pb.Merge() arguments must be the same type";
    throw new EvaluationError(`${message}. got: ${wanted}, ${value.typeName}`);
  }
}

function itemsOfMessage(map: MapValue): CelValue {
  for (const key of keysOf(map)) {
    const name = camelCase(toText(key));
    if (name !== "Values") {
      throw new EvaluationError(`type conversion error, no such field '${name}' in type 'structpb.ListValue'`);
    }
    return entryAt(map, key) as CelValue;
  }
  return [];
}

function camelCase(name: string): string {
  return name.replace(/(?:^|[-_ ]+)([^-_ ])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Returns a map whose keys are strings and whose values are JSON. Throws EvaluationError for other keys. */
export function jsonObject(map: MapValue): CelMap {
  return new CelMap(
    new Map(keysOf(map).map((key) => [toStringField(key), toJsonField(entryAt(map, key) as CelValue)])),
  );
}

function jsonOfObject(value: CelValue): CelValue | undefined {
  if (value instanceof Uint) {
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? doubleValue(Number(value.value)) : String(value.value);
  }
  if (value instanceof Timestamp || value instanceof Duration) {
    return toText(value);
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString("base64");
  }
  return value instanceof EmptyMessage ? new CelMap(new Map()) : undefined;
}
