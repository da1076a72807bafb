import {
  type MemberWriter,
  type MessageEncoder,
  writeAny,
  writeAnys,
  writeBoolean,
  writeDouble,
  writeExtensions,
  writeFlag,
  writeInt,
  writeMap,
  writeMessage,
  writeMessages,
  writeNamed,
  writeText,
  writeTexts,
} from "./gnostic-wire.js";

// Gnostic's messages for the two versions of OpenAPI have the same members where the versions have the same words; they
// differ in the numbers, and in what may stand inside. Here is what they have in common.

/** The members of a message by JSON name, each with its number and how it is written, in order of the numbers. */
export type Members = Readonly<Record<string, readonly [field: number, write: MemberWriter]>>;

/** Returns the encoder of a message with these members. */
export function message(members: Members): MessageEncoder {
  const rows = Object.entries(members).reverse();
  return (writer, value) => {
    for (const [name, [field, write]] of rows) {
      write(writer, field, value[name]);
    }
  };
}

/** Returns the encoder of a message with members and, under the last number, everything whose name starts with `x-`. */
export function extensible(members: Members, extensionsField: number): MessageEncoder {
  const own = message(members);
  return (writer, value) => {
    writeExtensions(writer, extensionsField, value);
    own(writer, value);
  };
}

/**
 * Returns the writer of a member that is a message. Messages that contain themselves are given as `(writer, value) =>
 * ...`.
 */
export function one(encode: MessageEncoder): MemberWriter {
  return (writer, field, value) => writeMessage(writer, field, value, encode);
}

/** Returns the writer of a member that is a list of messages. */
export function many(encode: MessageEncoder): MemberWriter {
  return (writer, field, value) => writeMessages(writer, field, value, encode);
}

/** Returns the writer of a member that is an object whose own members are messages. */
export function mapOf(encode: MessageEncoder): MemberWriter {
  return (writer, field, value) => writeMap(writer, field, value, encode);
}

/** Returns the writer of named entries whose surrounding message numbers them other than 1. */
export function namedUnder(entriesField: number, encode: MessageEncoder): MemberWriter {
  return one((writer, value) => writeNamed(writer, entriesField, value, encode));
}

/**
 * Returns the encoder of a message that has nothing but the value itself, as one of its alternatives, under this
 * number.
 */
export function wrapped(field: number, encode: MessageEncoder): MessageEncoder {
  return (writer, value) => writeMessage(writer, field, value, encode);
}

/** Returns the operations of a path, which have successive numbers in both versions. */
export function operations(firstField: number, operation: MessageEncoder): Members {
  const methods = ["get", "put", "post", "delete", "options", "head", "patch"];
  return Object.fromEntries(methods.map((method, index) => [method, [firstField + index, one(operation)]]));
}

/** The keywords of a schema that both versions write alike; for each, its writer. */
const keywordWriters = {
  nullable: writeFlag,
  format: writeText,
  title: writeText,
  description: writeText,
  type: writeText,
  multipleOf: writeDouble,
  maximum: writeDouble,
  exclusiveMaximum: writeFlag,
  minimum: writeDouble,
  exclusiveMinimum: writeFlag,
  maxLength: writeInt,
  minLength: writeInt,
  pattern: writeText,
  maxItems: writeInt,
  minItems: writeInt,
  uniqueItems: writeFlag,
  maxProperties: writeInt,
  minProperties: writeInt,
  required: writeTexts,
  enum: writeAnys,
  example: writeAny,
} as const satisfies Readonly<Record<string, MemberWriter>>;

/** Returns writers of such keywords with successive field numbers, beginning at `firstField`. */
export function keywords(firstField: number, ...names: readonly (keyof typeof keywordWriters)[]): Members {
  return Object.fromEntries(names.map((name, index) => [name, [firstField + index, keywordWriters[name]]]));
}

/**
 * Returns the limits of values, lengths and counts, and the names of required members: the same row in both versions.
 */
export function limits(firstField: number): Members {
  return keywords(
    firstField,
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxProperties",
    "minProperties",
    "required",
    "enum",
  );
}

/** Returns the writer of `additionalProperties`: a message that is either a schema (1) or a boolean (2). */
export function additionalProperties(schema: MessageEncoder): MemberWriter {
  return (writer, field, value) => {
    if (typeof value === "boolean") {
      writeMessage(writer, field, {}, (inner) => writeBoolean(inner, 2, value));
    } else {
      writeMessage(writer, field, value, wrapped(1, schema));
    }
  };
}
