import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import { isPresent, listOf, propertiesOf } from "../../schema/structural-form.js";
import { validateListType, validateMapKeys, validateMapType } from "./list-and-map-types.js";
import { validateValidationRules } from "./validation-rules.js";

/** Newer rules of schemas, which are not enforced on definitions that break them already. */
export interface SchemaDemands {
  readonly validTypes: boolean;
  readonly atomicSets: boolean;
  readonly mapKeys: boolean;
}

/** The restrictions of a node that follow from its place in the schema. */
interface Place {
  /** The reason for which a default is forbidden, as the end of a message; undefined if it is allowed. */
  readonly noDefault: string | undefined;
  /** True inside kind, apiVersion or metadata of an object. */
  readonly inMetadata: boolean;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];
const metadataMembers = new Set(["metadata", "kind", "apiVersion"]);

/** Validates an openAPIV3Schema, node by node. */
export function validateOpenApiSchema(
  schema: JsonObject,
  demands: SchemaDemands,
  path: FieldPath,
  errors: FieldErrors,
): void {
  new SchemaWalk(demands, errors).check(schema, true, { noDefault: undefined, inMetadata: false }, path);
}

class SchemaWalk {
  readonly #demands: SchemaDemands;
  readonly #errors: FieldErrors;

  constructor(demands: SchemaDemands, errors: FieldErrors) {
    this.#demands = demands;
    this.#errors = errors;
  }

  check(schema: JsonObject, isRoot: boolean, place: Place, path: FieldPath): void {
    const errors = this.#errors;
    if (errors.isFull) {
      return;
    }
    this.#checkMembers(schema, place, path);
    if (schema["uniqueItems"] === true) {
      const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
      errors.forbidden(path.child("uniqueItems"), detail);
    }
    this.#checkAdditionalProperties(schema, place, path);
    this.#checkProperties(schema, isRoot, place, path);
    this.#checkOthers(schema, place, path);
    this.#validateItems(schema, place, path);
    this.#checkDependencies(schema, place, path);
    if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
      errors.invalid(path.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined");
    }
    validateMapType(schema, path, errors);
    validateListType(schema, this.#demands.atomicSets, path, errors);
    if (this.#demands.mapKeys) {
      validateMapKeys(schema, path, errors);
    }
    validateValidationRules(schema, path, errors);
  }

  /** Validates the members of one node, without the nodes inside it. */
  #checkMembers(schema: JsonObject, place: Place, path: FieldPath): void {
    const errors = this.#errors;
    const type = textAt(schema, "type");
    if (this.#demands.validTypes && type !== "" && !types.includes(type)) {
      errors.notSupported(path.child("type"), type, types);
    }
    if (isPresent(schema["default"]) && place.noDefault !== undefined) {
      errors.forbidden(path.child("default"), `must not be set${place.noDefault}`);
    }
    for (const [member, isThere] of forbiddenMembers) {
      if (isThere(schema[member])) {
        errors.forbidden(path.child(member), `${member} is not supported`);
      }
    }
    if (type === "null") {
      errors.forbidden(path.child("type"), "type cannot be set to null, use nullable as an alternative");
    }
    if (Array.isArray(schema["items"]) && schema["items"].length > 0) {
      errors.forbidden(path.child("items"), "items must be a schema object and not an array");
    }
    if (place.inMetadata && schema["x-kubernetes-embedded-resource"] === true) {
      errors.forbidden(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
    }
  }

  #checkAdditionalProperties(schema: JsonObject, place: Place, path: FieldPath): void {
    const { additionalProperties } = schema;
    if (!isPresent(additionalProperties)) {
      return;
    }
    const at = path.child("additionalProperties");
    if (propertiesOf(schema).length > 0 && additionalProperties !== true) {
      this.#errors.forbidden(at, "additionalProperties and properties are mutual exclusive");
    }
    if (isJsonObject(additionalProperties)) {
      const noDefault = " inside additionalProperties applying to object metadata";
      this.check(additionalProperties, false, place.inMetadata ? { ...place, noDefault } : place, at);
    }
  }

  #checkProperties(schema: JsonObject, isRoot: boolean, place: Place, path: FieldPath): void {
    const isObject = isRoot || schema["x-kubernetes-embedded-resource"] === true;
    for (const [name, property] of propertiesOf(schema)) {
      const inner: Place =
        isObject && metadataMembers.has(name)
          ? { inMetadata: true, noDefault: isRoot ? ` in top-level ${name}` : place.noDefault }
          : place;
      this.check(property, false, inner, path.child("properties").key(name));
    }
  }

  #checkOthers(schema: JsonObject, place: Place, path: FieldPath): void {
    if (isJsonObject(schema["not"])) {
      this.check(schema["not"], false, place, path.child("not"));
    }
    for (const junctor of ["allOf", "oneOf", "anyOf"]) {
      for (const [index, nested] of listOf(schema[junctor]).entries()) {
        this.check(nested, false, place, path.child(junctor).index(index));
      }
    }
    const { definitions } = schema;
    for (const [name, definition] of isJsonObject(definitions) ? Object.entries(definitions) : []) {
      if (isJsonObject(definition)) {
        this.check(definition, false, place, path.child("definitions").key(name));
      }
    }
  }

  #validateItems(schema: JsonObject, place: Place, path: FieldPath): void {
    const { items } = schema;
    if (isJsonObject(items)) {
      this.check(items, false, place, path.child("items"));
    }
    for (const [index, item] of listOf(items).entries()) {
      this.check(item, false, place, path.child("items").index(index));
    }
  }

  #checkDependencies(schema: JsonObject, place: Place, path: FieldPath): void {
    const { dependencies } = schema;
    for (const [name, dependency] of isJsonObject(dependencies) ? Object.entries(dependencies) : []) {
      if (isJsonObject(dependency)) {
        this.check(dependency, false, place, path.child("dependencies").key(name));
      }
    }
  }
}

const isText = (value: JsonValue | undefined): boolean => typeof value === "string" && value !== "";
const hasMembers = (value: JsonValue | undefined): boolean => isJsonObject(value) && Object.keys(value).length > 0;

/** Members of OpenAPI that definitions may not use, each with a test of whether it is set. */
const forbiddenMembers: readonly (readonly [string, (value: JsonValue | undefined) => boolean])[] = [
  ["id", isText],
  ["additionalItems", isPresent],
  ["patternProperties", hasMembers],
  ["definitions", hasMembers],
  ["dependencies", isPresent],
  ["$ref", isPresent],
];
