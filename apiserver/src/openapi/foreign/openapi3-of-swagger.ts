import { isJsonObject, type JsonObject, type JsonValue, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";

const definitionPrefix = "#/definitions/";

/**
 * Converts a Swagger 2.0 document to OpenAPI 3.0 as v1.29 does for a server that has no document of version 3, with what is
 * lost there: shared parameters, limits of parameters, headers of responses, security requirements; and references in
 * `allOf`, `oneOf`, `anyOf`, `not` and `patternProperties` that stay as they are.
 */
export function openapi3OfSwagger(document: JsonObject): JsonObject {
  const { info, externalDocs } = document;
  const produces = textsAt(document, "produces");
  return present({
    openapi: "3.0.0",
    info,
    paths: mapMembers(objectAt(document, "paths"), (path, item) =>
      path.startsWith("x-") || !isJsonObject(item) ? item : pathItem(item),
    ),
    components: present({
      schemas: nonEmpty(mapMembers(objectAt(document, "definitions"), (_name, schema) => schemaOf(schema))),
      securitySchemes: nonEmpty(
        mapMembers(objectAt(document, "securityDefinitions"), (_name, scheme) => securityScheme(scheme)),
      ),
      responses: nonEmpty(
        mapMembers(objectAt(document, "responses"), (_name, response) => responseOf(response, produces)),
      ),
    }),
    externalDocs,
  });
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

function pathItem(item: JsonObject): JsonObject {
  return mapMembers(item, (name, member) => {
    if (methods.includes(name)) {
      return operation(member);
    }
    if (name === "parameters" && Array.isArray(member)) {
      return member.map(parameterOf);
    }
    return name === "$ref" || name.startsWith("x-") ? member : undefined;
  });
}

function operation(source: JsonValue): JsonValue {
  if (!isJsonObject(source)) {
    return source;
  }
  const { tags, summary, description, externalDocs, operationId, deprecated } = source;
  const stated = Array.isArray(source["parameters"]) ? source["parameters"] : [];
  const body = stated.find(isBody);
  const parameters = stated.filter((one) => !isBody(one)).map(parameterOf);
  const produces = textsAt(source, "produces");
  return present({
    ...{ tags, summary, description, externalDocs, operationId },
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: isJsonObject(body)
      ? present({ content: contentOf(body["schema"], textsAt(source, "consumes")) })
      : undefined,
    responses: mapMembers(objectAt(source, "responses"), (code, response) =>
      code.startsWith("x-") ? response : responseOf(response, produces),
    ),
    deprecated: deprecated === true ? true : undefined,
    ...extensionsOf(source),
  });
}

function isBody(parameter: JsonValue): boolean {
  return isJsonObject(parameter) && parameter["in"] === "body" && parameter["schema"] !== undefined;
}

function parameterOf(source: JsonValue): JsonValue {
  if (!isJsonObject(source)) {
    return source;
  }
  const reference = textAt(source, "$ref");
  if (reference !== "") {
    return { $ref: reference.replace(/^#\/parameters\//, "#/components/parameters/"), schema: { type: "" } };
  }
  const { name, description, required, allowEmptyValue, uniqueItems } = source;
  const { schema = present({ type: textAt(source, "type"), format: source["format"], uniqueItems }) } = source;
  return present({
    ...{ name, in: source["in"], description, required, allowEmptyValue },
    schema: source["schema"] === undefined ? schema : schemaOf(schema),
    ...extensionsOf(source),
  });
}

function responseOf(source: JsonValue, produces: readonly string[]): JsonValue {
  if (!isJsonObject(source)) {
    return source;
  }
  const reference = textAt(source, "$ref");
  if (reference !== "") {
    return { $ref: reference.replace(/^#\/responses\//, "#/components/responses/") };
  }
  return present({
    description: source["description"],
    content: contentOf(source["schema"], produces),
    ...extensionsOf(source),
  });
}

/** Returns a schema for each media type; undefined where there is no schema or no type. */
function contentOf(schema: JsonValue | undefined, types: readonly string[]): JsonObject | undefined {
  if (schema === undefined || types.length === 0) {
    return undefined;
  }
  const converted = schemaOf(schema);
  return Object.fromEntries(types.map((type) => [type, { schema: converted }]));
}

function securityScheme(source: JsonValue): JsonValue {
  if (!isJsonObject(source)) {
    return source;
  }
  const { type, description, name, flow, authorizationUrl, tokenUrl, scopes } = source;
  return present({
    ...{ type, description, name, in: source["in"] },
    flows:
      typeof flow === "string" && flow !== "" ? { [flow]: present({ authorizationUrl, tokenUrl, scopes }) } : undefined,
    ...extensionsOf(source),
  });
}

/** Converts the references of a schema, and of those in its properties and items. One beside others goes into `allOf`. */
function schemaOf(source: JsonValue): JsonValue {
  if (!isJsonObject(source)) {
    return source;
  }
  const converted = present(
    mapMembers(source, (name, member) => {
      switch (name) {
        case "properties":
          return isJsonObject(member) ? nonEmpty(mapMembers(member, (_name, one) => schemaOf(one))) : member;
        case "items":
        case "additionalItems":
        case "additionalProperties":
          return Array.isArray(member) ? member.map(schemaOf) : schemaOf(member);
        case "$ref":
          return typeof member === "string" && member.startsWith(definitionPrefix)
            ? `#/components/schemas/${member.slice(definitionPrefix.length)}`
            : member;
        default:
          return member;
      }
    }),
  );
  const { $ref, ...others } = converted;
  return $ref === undefined || Object.keys(others).length === 0 ? converted : { ...others, allOf: [{ $ref }] };
}

function extensionsOf(source: JsonObject): JsonObject {
  return mapMembers(source, (name, member) => (name.startsWith("x-") ? member : undefined));
}

/** Members whose value may be anything, also empty. */
const mayBeEmpty: ReadonlySet<string> = new Set(["default", "example", "type", "responses", "paths", "components"]);

/** Returns an object without members that are absent or, as Go leaves them out, null or empty text, list or false. */
function present(object: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return mapMembers(object, (name, member) => {
    const isEmpty =
      member === null ||
      (!mayBeEmpty.has(name) &&
        !name.startsWith("x-") &&
        (member === "" ||
          (member === false && name !== "additionalProperties" && name !== "additionalItems") ||
          (Array.isArray(member) && member.length === 0)));
    return isEmpty ? undefined : member;
  });
}

function nonEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

/** Changes each member, and leaves out those that become undefined. */
function mapMembers(
  object: Readonly<Record<string, JsonValue | undefined>>,
  change: (name: string, member: JsonValue) => JsonValue | undefined,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, member]) => {
      const changed = member === undefined ? undefined : change(name, member);
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}
