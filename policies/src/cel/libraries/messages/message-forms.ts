import { type CelType, dynType, listType, mapType, stringType, wrapperType } from "../../types/cel-type.js";
import { EvaluationError } from "../../values/evaluation-error.js";
import { isList, isMap, itemsOf, typeName } from "../../values/type-name.js";
import type { CelValue } from "../../values/value.js";
import type { MessageField, MessageType } from "../message-type.js";
import type { FieldConversion } from "./field-conversions.js";
import { jsonObject, toJsonField } from "./json-conversions.js";

/** A field as a table of messages has it: its type, and a conversion that needs the name of the field in its errors. */
export interface FieldForm {
  readonly type: CelType;
  readonly conversionFor: (name: string) => FieldConversion;
}

/** The type of JSON objects: maps with keys that are strings. */
export const jsonObjectType = mapType(stringType, dynType);
/** The type of JSON lists. */
export const jsonListType = listType(dynType);

/** The field of a JSON object that holds its members. */
export const jsonMembers: FieldForm = {
  type: jsonObjectType,
  conversionFor: (name) => (value) => {
    if (!isMap(value)) {
      throw unsupportedType(name, value);
    }
    return named(name, () => jsonObject(value));
  },
};

/** The field of a JSON list that holds its items. */
export const jsonItems: FieldForm = {
  type: jsonListType,
  conversionFor: (name) => (value) => {
    if (!isList(value)) {
      throw unsupportedType(name, value);
    }
    return named(name, () => itemsOf(value).map(toJsonField));
  },
};

/** Returns the form of a field that holds one value. */
export function singular(type: CelType, convert: FieldConversion): FieldForm {
  return { type, conversionFor: (name) => (value) => named(name, () => convert(value)) };
}

/** Returns a message of the package `google.protobuf`. */
export function message(
  shortName: string,
  type: CelType,
  forms: Readonly<Record<string, FieldForm>>,
  build: MessageType["build"],
): MessageType {
  const name = `google.protobuf.${shortName}`;
  const fields = Object.entries(forms).map(([field, form]): [string, MessageField] => [
    field,
    { type: form.type, convert: form.conversionFor(`${name}.${field}`) },
  ]);
  return { name, type, fields: new Map(fields), build };
}

/** Returns a message around one value of a scalar type, which may be null to the checker. */
export function wrapper(name: string, type: CelType, convert: FieldConversion, zero: CelValue): MessageType {
  const build = (fields: ReadonlyMap<string, CelValue>) => fields.get("value") ?? zero;
  return message(name, wrapperType(type), { value: singular(type, convert) }, build);
}

function named<T>(name: string, convert: () => T): T {
  try {
    return convert();
  } catch (thrown) {
    throw thrown instanceof EvaluationError
      ? new EvaluationError(`field type conversion error for ${name} value type: ${thrown.message}`)
      : thrown;
  }
}

function unsupportedType(name: string, value: CelValue): EvaluationError {
  const type = isList(value) ? "list()" : isMap(value) ? "map(, )" : typeName(value);
  return new EvaluationError(`unsupported field type for ${name}: ${type}`);
}
