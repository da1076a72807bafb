import type { JsonObject } from "@gatehouse/envelopes/json";
import { openapi3Dialect } from "../dialect.js";
import type { ApiOperation, ApiParameter, ApiPath, ApiResponse, DefinitionOf } from "./api-path.js";

/** Returns a path item of OpenAPI 3.0. `nameOf` finds the definition of a body; undefined for plain text. */
export function openapi3PathItem(path: ApiPath, nameOf: (type: DefinitionOf) => string | undefined): JsonObject {
  const item: JsonObject = {};
  for (const operation of path.operations) {
    item[operation.method] = openapi3Operation(operation, nameOf);
  }
  if (path.parameters.length > 0) {
    item["parameters"] = path.parameters.map(openapi3Parameter);
  }
  return item;
}

function openapi3Operation(operation: ApiOperation, nameOf: (type: DefinitionOf) => string | undefined): JsonObject {
  const { body } = operation;
  const responses: JsonObject = {};
  for (const response of operation.responses) {
    responses[response.code] = openapi3Response(response, operation.produces, nameOf);
  }
  return {
    tags: [operation.tag],
    ...(operation.description === "" ? {} : { description: operation.description }),
    operationId: operation.operationId,
    ...(operation.parameters.length > 0 ? { parameters: operation.parameters.map(openapi3Parameter) } : {}),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(body.type, operation.consumes, nameOf),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses,
    ...(operation.action === undefined ? {} : { "x-kubernetes-action": operation.action }),
    ...(operation.kind === undefined ? {} : { "x-kubernetes-group-version-kind": { ...operation.kind } }),
  };
}

function openapi3Parameter(parameter: ApiParameter): JsonObject {
  return {
    name: parameter.name,
    in: parameter.in,
    ...(parameter.description === "" ? {} : { description: parameter.description }),
    ...(parameter.in === "path" ? { required: true } : {}),
    schema: { type: parameter.type, uniqueItems: true },
  };
}

function openapi3Response(
  response: ApiResponse,
  produces: readonly string[],
  nameOf: (type: DefinitionOf) => string | undefined,
): JsonObject {
  return {
    description: response.description,
    ...(response.type === undefined ? {} : { content: content(response.type, produces, nameOf) }),
  };
}

function content(
  type: DefinitionOf,
  mediaTypes: readonly string[],
  nameOf: (type: DefinitionOf) => string | undefined,
): JsonObject {
  const name = nameOf(type);
  const byType: JsonObject = {};
  for (const mediaType of mediaTypes) {
    byType[mediaType] = { schema: name === undefined ? { type: "string" } : openapi3Dialect.reference(name, {}) };
  }
  return byType;
}
