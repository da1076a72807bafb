import type { WireWriter } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
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
  type MemberWriter,
  messageOf,
  namedEntry,
  writeAny,
  writeFlag,
  writeMap,
  writeMessage,
  writeNamed,
  writeText,
  writeTexts,
} from "./gnostic-wire.js";

// The numbers are those of google/gnostic's openapi.v2 messages, which kubectl before 1.27 reads.

/** Returns the format of Swagger 2.0 as gnostic's `openapi.v2.Document`. */
export function swaggerProtobuf(info: DocumentInfo): DocumentFormat {
  return {
    path: (path, item) => namedEntry(2, path, item, pathItem),
    definition: (name, value) => namedEntry(1, name, value, schema),
    document: (paths, definitions) =>
      Buffer.concat([documentHead(info), ...messageOf(8, paths), ...messageOf(9, definitions), documentTail()]),
  };
}

function documentHead(info: DocumentInfo): Uint8Array {
  const infoMessage = message({ title: [1, writeText], version: [2, writeText] });
  return bytesOf((writer) => {
    writeMessage(writer, 2, { ...info }, infoMessage);
    writeText(writer, 1, "2.0");
  });
}

/** Returns the members with the security requirement and the definition of its one scheme. */
function documentTail(): Uint8Array {
  const apiKey = message({
    type: [1, writeText],
    name: [2, writeText],
    in: [3, writeText],
    description: [4, writeText],
  });
  return bytesOf((writer) => {
    writeMap(writer, 13, { [bearerToken.name]: { ...bearerToken.scheme } }, wrapped(2, apiKey));
    writeMessage(writer, 12, {}, (inner) => writeNamed(inner, 1, { [bearerToken.name]: {} }, () => {}));
  });
}

/** Writes a TypeItem with a single type; it could hold several. */
const typeItem: MemberWriter = (writer, field, value) => {
  if (value !== undefined) {
    writeMessage(writer, field, {}, (inner) => writeText(inner, 1, value));
  }
};

const schema = extensible(
  {
    $ref: [1, writeText],
    ...keywords(2, "format", "title", "description"),
    default: [5, writeAny],
    ...limits(6),
    additionalProperties: [21, additionalProperties(nestedSchema)],
    type: [22, typeItem],
    items: [23, one(wrapped(1, nestedSchema))],
    allOf: [24, many(nestedSchema)],
    properties: [25, mapOf(nestedSchema)],
    ...keywords(30, "example"),
  },
  31,
);

/** A schema contains schemas. */
function nestedSchema(writer: WireWriter, value: JsonObject): void {
  schema(writer, value);
}

const placeOfParameter = {
  required: [1, writeFlag],
  in: [2, writeText],
  description: [3, writeText],
  name: [4, writeText],
} as const;
const queryParameter = message({ ...placeOfParameter, type: [6, writeText], uniqueItems: [20, writeFlag] });
const pathParameter = message({ ...placeOfParameter, type: [5, writeText], uniqueItems: [19, writeFlag] });
const bodyParameter = message({
  description: [1, writeText],
  name: [2, writeText],
  in: [3, writeText],
  required: [4, writeFlag],
  schema: [5, one(schema)],
});

/** ParametersItem > Parameter > BodyParameter, or NonBodyParameter > a message for each place. */
const parameter = wrapped(1, (writer, value) => {
  if (value["in"] === "body") {
    writeMessage(writer, 1, value, bodyParameter);
  } else {
    const inPath = value["in"] === "path";
    writeMessage(writer, 2, value, wrapped(inPath ? 4 : 3, inPath ? pathParameter : queryParameter));
  }
});

/** ResponseValue > Response > SchemaItem. */
const response = wrapped(1, message({ description: [1, writeText], schema: [2, one(wrapped(1, schema))] }));

const operation = extensible(
  {
    tags: [1, writeTexts],
    description: [3, writeText],
    operationId: [5, writeText],
    produces: [6, writeTexts],
    consumes: [7, writeTexts],
    parameters: [8, many(parameter)],
    responses: [9, namedUnder(1, response)],
    schemes: [10, writeTexts],
  },
  13,
);

const pathItem = message({ ...operations(2, operation), parameters: [9, many(parameter)] });
