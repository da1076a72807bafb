import type { WireWriter } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { DocumentFormat } from "../document-writer.js";
import { bearerToken, type DocumentInfo } from "../json-document.js";
import {
  additionalProperties,
  extensible,
  keywords,
  limits,
  many,
  mapOf,
  message,
  namedUnder,
  one,
  operations,
  wrapped,
} from "./gnostic-members.js";
import {
  bytesOf,
  isNumber,
  type MemberWriter,
  messageOf,
  namedEntry,
  writeBoolean,
  writeFlag,
  writeMap,
  writeMessage,
  writeNumber,
  writeString,
  writeText,
  writeTexts,
} from "./gnostic-wire.js";

// The numbers are those of google/gnostic's openapi.v3 messages.

/** Returns the format of OpenAPI 3.0 as gnostic's `openapi.v3.Document`. */
export function openapi3Protobuf(info: DocumentInfo): DocumentFormat {
  return {
    path: (path, item) => namedEntry(1, path, item, pathItem),
    definition: (name, value) => namedEntry(1, name, value, schemaOrReference),
    document: (paths, definitions) =>
      Buffer.concat([
        documentHead(info),
        ...messageOf(4, paths),
        ...messageOf(5, [...(definitions.length === 0 ? [] : messageOf(1, definitions)), securitySchemes()]),
      ]),
  };
}

/** Returns an OpenAPI 3.0 document as gnostic's message: its paths and schemas. */
export function openapi3ProtobufOf(document: JsonObject): Buffer {
  const {
    path,
    definition,
    document: join,
  } = openapi3Protobuf({
    title: textAt(document, "info", "title"),
    version: textAt(document, "info", "version"),
  });
  return join(
    objectsIn(objectAt(document, "paths")).map(([name, item]) => path(name, item)),
    objectsIn(objectAt(document, "components", "schemas")).map(([name, schema]) => definition(name, schema)),
  );
}

function objectsIn(members: JsonObject): readonly (readonly [name: string, member: JsonObject])[] {
  return Object.entries(members).flatMap(([name, member]) => (isJsonObject(member) ? [[name, member] as const] : []));
}

function documentHead(info: DocumentInfo): Uint8Array {
  const infoMessage = message({ title: [1, writeText], version: [6, writeText] });
  return bytesOf((writer) => {
    writeMessage(writer, 2, { ...info }, infoMessage);
    writeText(writer, 1, "3.0.0");
  });
}

function securitySchemes(): Uint8Array {
  const apiKey = message({
    type: [1, writeText],
    description: [2, writeText],
    name: [3, writeText],
    in: [4, writeText],
  });
  return bytesOf((writer) =>
    writeMap(writer, 7, { [bearerToken.name]: { ...bearerToken.scheme } }, wrapped(1, apiKey)),
  );
}

function schemaOrReference(writer: WireWriter, value: JsonObject): void {
  if (typeof value["$ref"] === "string") {
    writeMessage(writer, 2, value, reference);
  } else {
    writeMessage(writer, 1, value, schema);
  }
}

const reference = message({ $ref: [1, writeText] });

/** Writes a DefaultType: a number, a boolean or a string; gnostic has no place for other defaults. */
const defaultValue: MemberWriter = (writer, field, value) => {
  if (isNumber(value)) {
    writeMessage(writer, field, {}, (inner) => writeNumber(inner, 1, Number(value)));
  } else if (typeof value === "boolean") {
    writeMessage(writer, field, {}, (inner) => writeBoolean(inner, 2, value));
  } else if (typeof value === "string") {
    writeMessage(writer, field, {}, (inner) => writeString(inner, 3, value));
  }
};

const schema = extensible(
  {
    ...keywords(1, "nullable"),
    ...keywords(7, "example"),
    ...keywords(9, "title"),
    ...limits(10),
    ...keywords(25, "type"),
    allOf: [26, many(schemaOrReference)],
    oneOf: [27, many(schemaOrReference)],
    anyOf: [28, many(schemaOrReference)],
    not: [29, one(nestedSchema)],
    items: [30, one(wrapped(1, schemaOrReference))],
    properties: [31, mapOf(schemaOrReference)],
    additionalProperties: [32, additionalProperties(schemaOrReference)],
    default: [33, defaultValue],
    ...keywords(34, "description", "format"),
  },
  36,
);

/** A schema contains schemas. */
function nestedSchema(writer: WireWriter, value: JsonObject): void {
  schema(writer, value);
}

/** ParameterOrReference > Parameter. */
const parameter = wrapped(
  1,
  message({
    name: [1, writeText],
    in: [2, writeText],
    description: [3, writeText],
    required: [4, writeFlag],
    schema: [10, one(schemaOrReference)],
  }),
);

const content = mapOf(message({ schema: [1, one(schemaOrReference)] }));

/** RequestBodyOrReference > RequestBody. */
const requestBody = wrapped(1, message({ content: [2, content], required: [3, writeFlag] }));

/** ResponseOrReference > Response. */
const response = wrapped(1, message({ description: [1, writeText], content: [3, content] }));

const operation = extensible(
  {
    tags: [1, writeTexts],
    description: [3, writeText],
    operationId: [5, writeText],
    parameters: [6, many(parameter)],
    requestBody: [7, one(requestBody)],
    responses: [8, namedUnder(2, response)],
  },
  13,
);

const pathItem = message({ ...operations(4, operation), parameters: [13, many(parameter)] });
