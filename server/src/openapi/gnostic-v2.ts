import type { JsonObject } from "@gatehouse/envelopes";
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

// The numbers are those of google/gnostic's openapi.v2 messages, which kubectl before 1.27 reads.

/** Swagger 2.0 as gnostic's `openapi.v2.Document`. */
export function swaggerProtobuf(info: DocumentInfo): DocumentSink {
  const paths: Uint8Array[] = [];
  const definitions: Uint8Array[] = [];
  return {
    path: (path, item) => paths.push(namedEntry(2, path, item, pathItem)),
    definition: (name, value) => definitions.push(namedEntry(1, name, value, schema)),
    finish: () =>
      Buffer.concat([
        ...[documentHead(info)],
        ...messageOf(8, paths),
        ...messageOf(9, definitions),
        ...[documentTail()],
      ]),
  };
}

function documentHead(info: DocumentInfo): Uint8Array {
  const writer = createWriter();
  writeText(writer, 1, "2.0");
  writeMessage(writer, 2, { ...info }, (inner, value) => {
    writeText(inner, 1, value["title"]);
    writeText(inner, 2, value["version"]);
  });
  return writer.finish();
}

function documentTail(): Uint8Array {
  const writer = createWriter();
  // security, and the definition of the one way there is
  writeMessage(writer, 12, {}, (inner) => writeNamed(inner, 1, { [bearerToken.name]: {} }, () => {}));
  writeMap(writer, 13, { [bearerToken.name]: { ...bearerToken.scheme } }, (inner, value) =>
    writeMessage(inner, 2, value, (key) => {
      writeText(key, 1, value["type"]);
      writeText(key, 2, value["name"]);
      writeText(key, 3, value["in"]);
      writeText(key, 4, value["description"]);
    }),
  );
  return writer.finish();
}

function pathItem(writer: Writer, item: JsonObject): void {
  writeMessage(writer, 2, item["get"], operation);
  writeMessage(writer, 3, item["put"], operation);
  writeMessage(writer, 4, item["post"], operation);
  writeMessage(writer, 5, item["delete"], operation);
  writeMessage(writer, 6, item["options"], operation);
  writeMessage(writer, 7, item["head"], operation);
  writeMessage(writer, 8, item["patch"], operation);
  writeMessages(writer, 9, item["parameters"], parameter);
}

function operation(writer: Writer, value: JsonObject): void {
  writeTexts(writer, 1, value["tags"]);
  writeText(writer, 3, value["description"]);
  writeText(writer, 5, value["operationId"]);
  writeTexts(writer, 6, value["produces"]);
  writeTexts(writer, 7, value["consumes"]);
  writeMessages(writer, 8, value["parameters"], parameter);
  writeMessage(writer, 9, value["responses"], (inner, responses) => writeNamed(inner, 1, responses, response));
  writeTexts(writer, 10, value["schemes"]);
  writeExtensions(writer, 13, value);
}

/** ParametersItem > Parameter > BodyParameter, or NonBodyParameter > a message for each place. */
function parameter(writer: Writer, value: JsonObject): void {
  writeMessage(writer, 1, value, (inner) => {
    if (value["in"] === "body") {
      writeMessage(inner, 1, value, bodyParameter);
    } else {
      writeMessage(inner, 2, value, (other) => {
        const inPath = value["in"] === "path";
        writeMessage(other, inPath ? 4 : 3, value, inPath ? pathParameter : queryParameter);
      });
    }
  });
}

function bodyParameter(writer: Writer, value: JsonObject): void {
  writeText(writer, 1, value["description"]);
  writeText(writer, 2, value["name"]);
  writeText(writer, 3, value["in"]);
  writeFlag(writer, 4, value["required"]);
  writeMessage(writer, 5, value["schema"], schema);
}

function queryParameter(writer: Writer, value: JsonObject): void {
  placeOfParameter(writer, value);
  writeText(writer, 6, value["type"]);
  writeFlag(writer, 20, value["uniqueItems"]);
}

function pathParameter(writer: Writer, value: JsonObject): void {
  placeOfParameter(writer, value);
  writeText(writer, 5, value["type"]);
  writeFlag(writer, 19, value["uniqueItems"]);
}

function placeOfParameter(writer: Writer, value: JsonObject): void {
  writeFlag(writer, 1, value["required"]);
  writeText(writer, 2, value["in"]);
  writeText(writer, 3, value["description"]);
  writeText(writer, 4, value["name"]);
}

/** ResponseValue > Response > SchemaItem. */
function response(writer: Writer, value: JsonObject): void {
  writeMessage(writer, 1, value, (inner) => {
    writeText(inner, 1, value["description"]);
    writeMessage(inner, 2, value["schema"], (item, body) => writeMessage(item, 1, body, schema));
  });
}

function schema(writer: Writer, value: JsonObject): void {
  writeText(writer, 1, value["$ref"]);
  writeText(writer, 2, value["format"]);
  writeText(writer, 3, value["title"]);
  writeText(writer, 4, value["description"]);
  writeAny(writer, 5, value["default"]);
  writeDouble(writer, 6, value["multipleOf"]);
  writeDouble(writer, 7, value["maximum"]);
  writeFlag(writer, 8, value["exclusiveMaximum"]);
  writeDouble(writer, 9, value["minimum"]);
  writeFlag(writer, 10, value["exclusiveMinimum"]);
  writeInt(writer, 11, value["maxLength"]);
  writeInt(writer, 12, value["minLength"]);
  writeText(writer, 13, value["pattern"]);
  writeInt(writer, 14, value["maxItems"]);
  writeInt(writer, 15, value["minItems"]);
  writeFlag(writer, 16, value["uniqueItems"]);
  writeInt(writer, 17, value["maxProperties"]);
  writeInt(writer, 18, value["minProperties"]);
  writeTexts(writer, 19, value["required"]);
  writeAnys(writer, 20, value["enum"]);
  additionalProperties(writer, value);
  if (typeof value["type"] === "string") {
    writeMessage(writer, 22, value, (inner) => writeText(inner, 1, value["type"]));
  }
  writeMessage(writer, 23, value["items"], (inner, items) => writeMessage(inner, 1, items, schema));
  writeMessages(writer, 24, value["allOf"], schema);
  writeMap(writer, 25, value["properties"], schema);
  writeAny(writer, 30, value["example"]);
  writeExtensions(writer, 31, value);
}

function additionalProperties(writer: Writer, value: JsonObject): void {
  const allowed = value["additionalProperties"];
  if (typeof allowed === "boolean") {
    writeMessage(writer, 21, value, (inner) => inner.uint32(2 * 8).bool(allowed));
  } else {
    writeMessage(writer, 21, allowed, (inner, values) => writeMessage(inner, 1, values, schema));
  }
}
