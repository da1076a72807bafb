import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import {
  createWriter,
  messageOf,
  namedEntry,
  type Writer,
  writeAny,
  writeAnys,
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
import { bearerToken, type DocumentInfo } from "./json-document.js";
import type { DocumentSink } from "./write-document.js";

// The numbers are those of google/gnostic's openapi.v3 messages.

/** OpenAPI 3.0 as gnostic's `openapi.v3.Document`. */
export function openapi3Protobuf(info: DocumentInfo): DocumentSink {
  const paths: Uint8Array[] = [];
  const schemas: Uint8Array[] = [];
  return {
    path: (path, item) => paths.push(namedEntry(1, path, item, pathItem)),
    definition: (name, value) => schemas.push(namedEntry(1, name, value, schemaOrReference)),
    finish: () =>
      Buffer.concat([
        documentHead(info),
        ...messageOf(4, paths),
        ...messageOf(5, [...messageOf(1, schemas), securitySchemes()]),
      ]),
  };
}

function documentHead(info: DocumentInfo): Uint8Array {
  const writer = createWriter();
  writeText(writer, 1, "3.0.0");
  writeMessage(writer, 2, { ...info }, (inner, value) => {
    writeText(inner, 1, value["title"]);
    writeText(inner, 6, value["version"]);
  });
  return writer.finish();
}

function securitySchemes(): Uint8Array {
  const writer = createWriter();
  writeMap(writer, 7, { [bearerToken.name]: { ...bearerToken.scheme } }, (inner, value) =>
    writeMessage(inner, 1, value, (scheme) => {
      writeText(scheme, 1, value["type"]);
      writeText(scheme, 2, value["description"]);
      writeText(scheme, 3, value["name"]);
      writeText(scheme, 4, value["in"]);
    }),
  );
  return writer.finish();
}

function pathItem(writer: Writer, item: JsonObject): void {
  writeMessage(writer, 4, item["get"], operation);
  writeMessage(writer, 5, item["put"], operation);
  writeMessage(writer, 6, item["post"], operation);
  writeMessage(writer, 7, item["delete"], operation);
  writeMessage(writer, 8, item["options"], operation);
  writeMessage(writer, 9, item["head"], operation);
  writeMessage(writer, 10, item["patch"], operation);
  writeMessages(writer, 13, item["parameters"], parameter);
}

function operation(writer: Writer, value: JsonObject): void {
  writeTexts(writer, 1, value["tags"]);
  writeText(writer, 3, value["description"]);
  writeText(writer, 5, value["operationId"]);
  writeMessages(writer, 6, value["parameters"], parameter);
  writeMessage(writer, 7, value["requestBody"], requestBody);
  writeMessage(writer, 8, value["responses"], (inner, responses) => writeNamed(inner, 2, responses, response));
  writeExtensions(writer, 13, value);
}

/** ParameterOrReference > Parameter. */
function parameter(writer: Writer, value: JsonObject): void {
  writeMessage(writer, 1, value, (inner) => {
    writeText(inner, 1, value["name"]);
    writeText(inner, 2, value["in"]);
    writeText(inner, 3, value["description"]);
    writeFlag(inner, 4, value["required"]);
    writeMessage(inner, 10, value["schema"], schemaOrReference);
  });
}

/** RequestBodyOrReference > RequestBody. */
function requestBody(writer: Writer, value: JsonObject): void {
  writeMessage(writer, 1, value, (inner) => {
    writeMap(inner, 2, value["content"], mediaType);
    writeFlag(inner, 3, value["required"]);
  });
}

/** ResponseOrReference > Response. */
function response(writer: Writer, value: JsonObject): void {
  writeMessage(writer, 1, value, (inner) => {
    writeText(inner, 1, value["description"]);
    writeMap(inner, 3, value["content"], mediaType);
  });
}

function mediaType(writer: Writer, value: JsonObject): void {
  writeMessage(writer, 1, value["schema"], schemaOrReference);
}

function schemaOrReference(writer: Writer, value: JsonObject): void {
  if (typeof value["$ref"] === "string") {
    writeMessage(writer, 2, value, (inner) => writeText(inner, 1, value["$ref"]));
  } else {
    writeMessage(writer, 1, value, schema);
  }
}

function schema(writer: Writer, value: JsonObject): void {
  writeFlag(writer, 1, value["nullable"]);
  writeAny(writer, 7, value["example"]);
  writeText(writer, 9, value["title"]);
  writeDouble(writer, 10, value["multipleOf"]);
  writeDouble(writer, 11, value["maximum"]);
  writeFlag(writer, 12, value["exclusiveMaximum"]);
  writeDouble(writer, 13, value["minimum"]);
  writeFlag(writer, 14, value["exclusiveMinimum"]);
  writeInt(writer, 15, value["maxLength"]);
  writeInt(writer, 16, value["minLength"]);
  writeText(writer, 17, value["pattern"]);
  writeInt(writer, 18, value["maxItems"]);
  writeInt(writer, 19, value["minItems"]);
  writeFlag(writer, 20, value["uniqueItems"]);
  writeInt(writer, 21, value["maxProperties"]);
  writeInt(writer, 22, value["minProperties"]);
  writeTexts(writer, 23, value["required"]);
  writeAnys(writer, 24, value["enum"]);
  writeText(writer, 25, value["type"]);
  writeMessages(writer, 26, value["allOf"], schemaOrReference);
  writeMessages(writer, 27, value["oneOf"], schemaOrReference);
  writeMessages(writer, 28, value["anyOf"], schemaOrReference);
  writeMessage(writer, 29, value["not"], schema);
  writeMessage(writer, 30, value["items"], (inner, items) => writeMessage(inner, 1, items, schemaOrReference));
  writeMap(writer, 31, value["properties"], schemaOrReference);
  additionalProperties(writer, value["additionalProperties"]);
  defaultValue(writer, value["default"]);
  writeText(writer, 34, value["description"]);
  writeText(writer, 35, value["format"]);
  writeExtensions(writer, 36, value);
}

function additionalProperties(writer: Writer, value: JsonValue | undefined): void {
  if (typeof value === "boolean") {
    writeMessage(writer, 32, {}, (inner) => inner.uint32(2 * 8).bool(value));
  } else if (isJsonObject(value)) {
    writeMessage(writer, 32, value, (inner) => writeMessage(inner, 1, value, schemaOrReference));
  }
}

/** DefaultType can be a number, a boolean or a string; gnostic has no place for other defaults. */
function defaultValue(writer: Writer, value: JsonValue | undefined): void {
  if (typeof value === "number") {
    writeMessage(writer, 33, {}, (inner) => inner.uint32(1 * 8 + 1).double(value));
  } else if (typeof value === "boolean") {
    writeMessage(writer, 33, {}, (inner) => inner.uint32(2 * 8).bool(value));
  } else if (typeof value === "string") {
    writeMessage(writer, 33, {}, (inner) => inner.uint32(3 * 8 + 2).string(value));
  }
}
