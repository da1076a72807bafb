import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  uintType,
} from "../../types/cel-type.js";
import { objectType } from "../../types/object-type.js";
import { doubleValue } from "../../values/numbers.js";
import { CelMap, type CelValue, Uint } from "../../values/value.js";
import type { Library } from "../library.js";
import type { MessageType } from "../message-type.js";
import { anyValue } from "./any-value.js";
import { EmptyMessage } from "./empty-message.js";
import {
  toBoolField,
  toBytesField,
  toDoubleField,
  toEnumField,
  toFloatField,
  toInt32Field,
  toInt64Field,
  toStringField,
  toUint32Field,
  toUint64Field,
} from "./field-conversions.js";
import { toJsonListField, toJsonObjectField } from "./json-conversions.js";
import { jsonItems, jsonListType, jsonMembers, jsonObjectType, message, singular, wrapper } from "./message-forms.js";
import { durationOf, timestampOf } from "./time-values.js";

type Fields = Parameters<MessageType["build"]>[0];

const emptyType = objectType("google.protobuf.Empty", {});
const timeFields = { seconds: singular(intType, toInt64Field), nanos: singular(intType, toInt32Field) };
const noBytes = new Uint8Array();

const messages: readonly MessageType[] = [
  message("Duration", durationType, timeFields, (fields) =>
    durationOf(whole(fields, "seconds"), whole(fields, "nanos")),
  ),
  message("Timestamp", timestampType, timeFields, (fields) =>
    timestampOf(whole(fields, "seconds"), whole(fields, "nanos")),
  ),
  wrapper("BoolValue", boolType, toBoolField, false),
  wrapper("BytesValue", bytesType, toBytesField, noBytes),
  wrapper("DoubleValue", doubleType, toDoubleField, doubleValue(0)),
  wrapper("FloatValue", doubleType, toFloatField, doubleValue(0)),
  wrapper("Int32Value", intType, toInt32Field, 0),
  wrapper("Int64Value", intType, toInt64Field, 0),
  wrapper("StringValue", stringType, toStringField, ""),
  wrapper("UInt32Value", uintType, toUint32Field, new Uint(0n)),
  wrapper("UInt64Value", uintType, toUint64Field, new Uint(0n)),
  message(
    "Value",
    dynType,
    {
      null_value: singular(intType, toEnumField),
      number_value: singular(doubleType, toDoubleField),
      string_value: singular(stringType, toStringField),
      bool_value: singular(boolType, toBoolField),
      struct_value: singular(jsonObjectType, toJsonObjectField),
      list_value: singular(jsonListType, toJsonListField),
    },
    lastField,
  ),
  message("Struct", jsonObjectType, { fields: jsonMembers }, (fields) => fields.get("fields") ?? new CelMap(new Map())),
  message("ListValue", jsonListType, { values: jsonItems }, (fields) => fields.get("values") ?? []),
  message(
    "Any",
    anyType,
    { type_url: singular(stringType, toStringField), value: singular(bytesType, toBytesField) },
    (fields) => anyValue((fields.get("type_url") ?? "") as string, (fields.get("value") ?? noBytes) as Uint8Array),
  ),
  message("Empty", emptyType, {}, () => new EmptyMessage()),
];

/** The messages of protocol buffers that v1.29's expressions can build, and the one constant of theirs. */
export const wellKnownMessages: Library = {
  name: "messages of protocol buffers",
  introduced: [1, 0],
  functions: [],
  types: new Map([[emptyType.name, emptyType]]),
  messages,
  constants: new Map([["google.protobuf.NullValue.NULL_VALUE", 0]]),
};

function whole(fields: Fields, name: string): bigint {
  return BigInt((fields.get(name) ?? 0) as number | bigint);
}

/** Returns the value of a message that holds one field at a time: of several, the last of the source. Default: null. */
function lastField(fields: Fields): CelValue {
  let last: CelValue = null;
  for (const [name, value] of fields) {
    last = name === "null_value" ? null : value;
  }
  return last;
}
