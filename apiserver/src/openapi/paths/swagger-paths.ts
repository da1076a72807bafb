import type { JsonObject } from "@gatehouse/envelopes/json";
import { swaggerDialect } from "../dialect.js";
import type { ApiOperation, ApiParameter, ApiPath, ApiResponse, DefinitionOf } from "./api-path.js";

/** Returns a path item of Swagger 2.0. `nameOf` finds the definition of a body; undefined for plain text. */
export function swaggerPathItem(path: ApiPath, nameOf: (type: DefinitionOf) => string | undefined): JsonObject {
  const item: JsonObject = {};
  for (const operation of path.operations) {
    item[operation.method] = swaggerOperation(operation, nameOf);
  }
  if (path.parameters.length > 0) {
    item["parameters"] = path.parameters.map(swaggerParameter);
  }
  return item;
}

function swaggerOperation(operation: ApiOperation, nameOf: (type: DefinitionOf) => string | undefined): JsonObject {
  const { body } = operation;
  const parameters = operation.parameters.map(swaggerParameter);
  if (body !== undefined) {
    parameters.unshift({
      name: "body",
      in: "body",
      ...(body.required ? { required: true } : {}),
      schema: bodySchema(body.type, nameOf),
    });
  }
  const responses: JsonObject = {};
  for (const response of operation.responses) {
    responses[response.code] = swaggerResponse(response, nameOf);
  }
  return {
    ...(operation.description === "" ? {} : { description: operation.description }),
    ...(operation.consumes.length > 0 ? { consumes: [...operation.consumes] } : {}),
    ...(operation.produces.length > 0 ? { produces: [...operation.produces] } : {}),
    schemes: ["https"],
    tags: [operation.tag],
    operationId: operation.operationId,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses,
    ...(operation.action === undefined ? {} : { "x-kubernetes-action": operation.action }),
    ...(operation.kind === undefined ? {} : { "x-kubernetes-group-version-kind": { ...operation.kind } }),
  };
}

function swaggerParameter(parameter: ApiParameter): JsonObject {
  return {
    uniqueItems: true,
    type: parameter.type,
    ...(parameter.description === "" ? {} : { description: parameter.description }),
    name: parameter.name,
    in: parameter.in,
    ...(parameter.in === "path" ? { required: true } : {}),
  };
}

function swaggerResponse(response: ApiResponse, nameOf: (type: DefinitionOf) => string | undefined): JsonObject {
  return {
    description: response.description,
    ...(response.type === undefined ? {} : { schema: bodySchema(response.type, nameOf) }),
  };
}

function bodySchema(type: DefinitionOf, nameOf: (type: DefinitionOf) => string | undefined): JsonObject {
  const name = nameOf(type);
  return name === undefined ? { type: "string" } : swaggerDialect.reference(name, {});
}
