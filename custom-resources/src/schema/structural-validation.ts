import { FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { FieldError } from "@gatehouse/envelopes/status";
import type { PatternProblems } from "./pattern-problems.js";
import { validateCompleteness } from "./structural-completeness.js";
import { isPresent, isSaid, junctors, listOf, propertiesOf } from "./structural-form.js";

type Level = "root" | "item" | "field";

/**
 * Returns the reasons why an openAPIV3Schema that has a structural form is not structural: every value needs a type
 * outside of `allOf`, `anyOf`, `oneOf` and `not`, which may only add to it. In v1.29's words, sorted as it sorts them.
 */
export function structuralErrors(
  schema: JsonObject,
  path: FieldPath,
  patterns: PatternProblems,
): readonly FieldError[] {
  const errors = new FieldErrors();
  validateNode(schema, "root", path, patterns, errors);
  validateCompleteness(schema, path, errors);
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`;
  return [...errors.list].sort((a, b) => compareText(text(a), text(b)));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function validateNode(
  node: JsonObject,
  level: Level,
  path: FieldPath,
  patterns: PatternProblems,
  errors: FieldErrors,
): void {
  if (errors.isFull) {
    return;
  }
  const { items, additionalProperties } = node;
  const type = textAt(node, "type");
  if (type === "array" && !isJsonObject(items)) {
    errors.required(path.child("items"), "must be specified");
  }
  if (isJsonObject(items)) {
    validateNode(items, "item", path.child("items"), patterns, errors);
  }
  for (const [name, property] of propertiesOf(node)) {
    validateNode(property, "field", path.child("properties").key(name), patterns, errors);
  }
  if (isPresent(additionalProperties)) {
    if (level === "root") {
      errors.forbidden(path.child("additionalProperties"), "must not be used at the root");
    }
    if (isJsonObject(additionalProperties)) {
      validateNode(additionalProperties, "field", path.child("additionalProperties"), patterns, errors);
    }
  }
  validateExtensions(node, path, errors);
  validateValueValidation(node, isIntOrStringList(node["anyOf"]), isIntOrStringAllOf(node), path, patterns, errors);
  validateType(node, type, level, path, errors);
  validateMetadata(node, level, path, errors);
}

function validateExtensions(node: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (node["x-kubernetes-int-or-string"] === true) {
    for (const other of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"]) {
      if (node[other] === true) {
        errors.invalid(path.child(other), true, "must be false if x-kubernetes-int-or-string is true");
      }
    }
  }
}

const missingType: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function validateType(node: JsonObject, type: string, level: Level, path: FieldPath, errors: FieldErrors): void {
  const embedded = node["x-kubernetes-embedded-resource"] === true;
  const preserves = node["x-kubernetes-preserve-unknown-fields"] === true;
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    if (type === "") {
      errors.required(path.child("type"), detail);
    } else {
      errors.invalid(path.child("type"), type, detail);
    }
  } else if (type === "" && node["x-kubernetes-int-or-string"] !== true && !preserves) {
    errors.required(path.child("type"), missingType[level]);
  }
  if (embedded && isPresent(node["additionalProperties"])) {
    errors.forbidden(path.child("additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set");
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.invalid(path.child("type"), type, "must be object at the root");
  }
  if (embedded && !preserves && propertiesOf(node).length === 0) {
    errors.required(
      path.child("properties"),
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
    );
  }
}

/** Checks kind, apiVersion and metadata, whose form every object shares. */
function validateMetadata(node: JsonObject, level: Level, path: FieldPath, errors: FieldErrors): void {
  const isResource = level === "root" || node["x-kubernetes-embedded-resource"] === true;
  const properties = new Map(propertiesOf(node));
  for (const name of isResource ? ["kind", "apiVersion"] : []) {
    const property = properties.get(name);
    if (property !== undefined && property["type"] !== "string") {
      const at = path.child("properties").key(name).child("type");
      errors.invalid(at, textAt(property, "type"), "must be string");
    }
  }
  const metadata = properties.get("metadata");
  if (metadata === undefined) {
    return;
  }
  const at = path.child("properties").key("metadata");
  if (isResource && metadata["type"] !== "object") {
    errors.invalid(at.child("type"), textAt(metadata, "type"), "must be object");
  }
  if (level === "root" && restrictsMetadata(metadata)) {
    errors.forbidden(
      at,
      "must not specify anything other than name and generateName, but metadata is implicitly specified",
    );
  }
}

const harmless = new Set(["type", "default", "externalDocs", "example", "properties"]);

function restrictsMetadata(metadata: JsonObject): boolean {
  const names = propertiesOf(metadata).map(([name]) => name);
  return (
    names.some((name) => name !== "name" && name !== "generateName") ||
    Object.keys(metadata).some((member) => !harmless.has(member) && isSaid(metadata, member))
  );
}

/** Checks `allOf`, `anyOf`, `oneOf` and `not`, and the pattern. */
function validateValueValidation(
  node: JsonObject,
  skipsAnyOf: boolean,
  skipsFirstAllOf: boolean,
  path: FieldPath,
  patterns: PatternProblems,
  errors: FieldErrors,
): void {
  for (const junctor of junctors) {
    listOf(node[junctor]).forEach((nested, index) => {
      if (!(junctor === "anyOf" && skipsAnyOf)) {
        const skips = junctor === "allOf" && index === 0 && skipsFirstAllOf;
        validateNested(nested, skips, path.child(junctor).index(index), patterns, errors);
      }
    });
  }
  if (isJsonObject(node["not"])) {
    validateNested(node["not"], false, path.child("not"), patterns, errors);
  }
  const problem = patterns.of(textAt(node, "pattern"));
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    errors.invalid(path.child("pattern"), textAt(node, "pattern"), detail);
  }
}

const forbiddenWhereNested: readonly (readonly [member: string, detail: string])[] = [
  ["type", "must be empty to be structural"],
  ["additionalProperties", "must be undefined to be structural"],
  ["default", "must be undefined to be structural"],
  ["title", "must be empty to be structural"],
  ["description", "must be empty to be structural"],
  ["nullable", "must be false to be structural"],
  ["x-kubernetes-preserve-unknown-fields", "must be false to be structural"],
  ["x-kubernetes-embedded-resource", "must be false to be structural"],
  ["x-kubernetes-int-or-string", "must be false to be structural"],
  ["x-kubernetes-list-map-keys", "must be empty to be structural"],
  ["x-kubernetes-list-type", "must be undefined to be structural"],
  ["x-kubernetes-map-type", "must be undefined to be structural"],
  ["x-kubernetes-validations", "must be empty to be structural"],
];

function validateNested(
  node: JsonObject,
  skipsAnyOf: boolean,
  path: FieldPath,
  patterns: PatternProblems,
  errors: FieldErrors,
): void {
  if (errors.isFull) {
    return;
  }
  validateValueValidation(node, skipsAnyOf, false, path, patterns, errors);
  if (isJsonObject(node["items"])) {
    validateNested(node["items"], false, path.child("items"), patterns, errors);
  }
  for (const [name, property] of propertiesOf(node)) {
    validateNested(property, false, path.child("properties").key(name), patterns, errors);
    if (name === "metadata") {
      errors.forbidden(path.child("properties").key(name), "must not be specified in a nested context");
    }
  }
  for (const [member, detail] of forbiddenWhereNested) {
    if (isSaid(node, member)) {
      errors.forbidden(path.child(member), detail);
    }
  }
}

/** Reports whether a list states the only types that are allowed there: an integer or a string. */
function isIntOrStringList(value: JsonObject[string] | undefined): boolean {
  const list = listOf(value);
  return list.length === 2 && saysOnlyType(list[0], "integer") && saysOnlyType(list[1], "string");
}

function isIntOrStringAllOf(node: JsonObject): boolean {
  return isIntOrStringList(listOf(node["allOf"])[0]?.["anyOf"]);
}

const unseen = new Set(["externalDocs", "example"]);

function saysOnlyType(node: JsonObject | undefined, type: string): boolean {
  return (
    node !== undefined &&
    node["type"] === type &&
    Object.keys(node).every((member) => member === "type" || unseen.has(member) || !isSaid(node, member))
  );
}
