import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { isPresent, listOf, propertiesOf } from "../../schema/structural-form.js";
import { validateListType, validateMapKeys, validateMapType } from "./list-and-map-types.js";
import type { NodeWithRules } from "./rule-expressions.js";
import type { RuleScope } from "./rule-scope.js";
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
  /** The nearest node above whose values have no old values; undefined if all have. */
  readonly uncorrelated: FieldPath | undefined;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];
const metadataMembers = new Set(["metadata", "kind", "apiVersion"]);

/**
 * Validates an openAPIV3Schema, node by node. Returns the nodes whose rules can be compiled: those without an error at
 * them or below, if `scope` is that of a structural schema.
 */
export function validateOpenApiSchema(
  schema: JsonObject,
  demands: SchemaDemands,
  scope: RuleScope | undefined,
  path: FieldPath,
  errors: FieldErrors,
): readonly NodeWithRules[] {
  const walk = new SchemaWalk(demands, errors);
  walk.check(schema, true, { noDefault: undefined, inMetadata: false, uncorrelated: undefined }, scope, path);
  return walk.withRules;
}

class SchemaWalk {
  readonly withRules: NodeWithRules[] = [];
  readonly #demands: SchemaDemands;
  readonly #errors: FieldErrors;

  constructor(demands: SchemaDemands, errors: FieldErrors) {
    this.#demands = demands;
    this.#errors = errors;
  }

  check(schema: JsonObject, isRoot: boolean, place: Place, scope: RuleScope | undefined, path: FieldPath): void {
    const errors = this.#errors;
    if (errors.isFull) {
      return;
    }
    const errorsBefore = errors.list.length;
    this.#checkMembers(schema, place, path);
    if (schema["uniqueItems"] === true) {
      const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
      errors.forbidden(path.child("uniqueItems"), detail);
    }
    this.#checkAdditionalProperties(schema, place, scope, path);
    this.#checkProperties(schema, isRoot, place, scope, path);
    this.#checkOthers(schema, place, path);
    this.#validateItems(schema, place, scope, path);
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
    if (
      scope !== undefined &&
      errors.list.length === errorsBefore &&
      listAt(schema, "x-kubernetes-validations").length > 0
    ) {
      this.withRules.push({ scope, path, uncorrelated: place.uncorrelated });
    }
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

  #checkAdditionalProperties(schema: JsonObject, place: Place, scope: RuleScope | undefined, path: FieldPath): void {
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
      const inner = place.inMetadata ? { ...place, noDefault } : place;
      this.check(additionalProperties, false, inner, scope?.values(additionalProperties), at);
    }
  }

  #checkProperties(
    schema: JsonObject,
    isRoot: boolean,
    place: Place,
    scope: RuleScope | undefined,
    path: FieldPath,
  ): void {
    const isObject = isRoot || schema["x-kubernetes-embedded-resource"] === true;
    for (const [name, property] of propertiesOf(schema)) {
      const inner: Place =
        isObject && metadataMembers.has(name)
          ? { ...place, inMetadata: true, noDefault: isRoot ? ` in top-level ${name}` : place.noDefault }
          : place;
      this.check(property, false, inner, scope?.property(name, property), path.child("properties").key(name));
    }
  }

  #checkOthers(schema: JsonObject, place: Place, path: FieldPath): void {
    if (isJsonObject(schema["not"])) {
      this.check(schema["not"], false, place, undefined, path.child("not"));
    }
    for (const junctor of ["allOf", "oneOf", "anyOf"]) {
      for (const [index, nested] of listOf(schema[junctor]).entries()) {
        this.check(nested, false, place, undefined, path.child(junctor).index(index));
      }
    }
    const { definitions } = schema;
    for (const [name, definition] of isJsonObject(definitions) ? Object.entries(definitions) : []) {
      if (isJsonObject(definition)) {
        this.check(definition, false, place, undefined, path.child("definitions").key(name));
      }
    }
  }

  #validateItems(schema: JsonObject, place: Place, scope: RuleScope | undefined, path: FieldPath): void {
    const { items } = schema;
    // Only items of lists that are maps can be told from each other.
    const isMap = textAt(schema, "x-kubernetes-list-type") === "map";
    const inner = isMap ? place : { ...place, uncorrelated: place.uncorrelated ?? path };
    if (isJsonObject(items)) {
      this.check(items, false, inner, scope?.items(items), path.child("items"));
    }
    for (const [index, item] of listOf(items).entries()) {
      this.check(item, false, inner, undefined, path.child("items").index(index));
    }
  }

  #checkDependencies(schema: JsonObject, place: Place, path: FieldPath): void {
    const { dependencies } = schema;
    for (const [name, dependency] of isJsonObject(dependencies) ? Object.entries(dependencies) : []) {
      if (isJsonObject(dependency)) {
        this.check(dependency, false, place, undefined, path.child("dependencies").key(name));
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
