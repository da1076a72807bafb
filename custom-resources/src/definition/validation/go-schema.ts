import { encodeJson } from "@gatehouse/envelopes/codec";
import { goLiteral, goPointer, goQuote, goSlice, goTexts, listAsSent, mapAsSent } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

type Shown = (value: JsonValue | undefined) => string;

const pkg = "apiextensions";
const schemaType = `${pkg}.JSONSchemaProps`;

const text: Shown = (value) => goQuote(typeof value === "string" ? value : "");
const flag: Shown = (value) => String(value === true);
const texts: Shown = (value) => goTexts("string", value);
const pointer =
  (type: string): Shown =>
  (value) =>
    goPointer(type, value);
const schemas: Shown = (value) =>
  goSlice(schemaType, emptyAsAbsent(value), () => (Array.isArray(value) ? value : []).map(goSchema));
const schemaMap =
  (type: string): Shown =>
  (value) =>
    goMap(type, value, goSchema);

/** The members of a schema in v1.29's own form, in its order. */
const members: readonly (readonly [name: string, wire: string, shown: Shown])[] = [
  ["ID", "id", text],
  ["Schema", "$schema", text],
  ["Ref", "$ref", pointer("string")],
  ["Description", "description", text],
  ["Type", "type", text],
  ["Nullable", "nullable", flag],
  ["Format", "format", text],
  ["Title", "title", text],
  ["Default", "default", pointer(`${pkg}.JSON`)],
  ["Maximum", "maximum", pointer("float64")],
  ["ExclusiveMaximum", "exclusiveMaximum", flag],
  ["Minimum", "minimum", pointer("float64")],
  ["ExclusiveMinimum", "exclusiveMinimum", flag],
  ["MaxLength", "maxLength", pointer("int64")],
  ["MinLength", "minLength", pointer("int64")],
  ["Pattern", "pattern", text],
  ["MaxItems", "maxItems", pointer("int64")],
  ["MinItems", "minItems", pointer("int64")],
  ["UniqueItems", "uniqueItems", flag],
  ["MultipleOf", "multipleOf", pointer("float64")],
  ["Enum", "enum", (value) => goSlice(`${pkg}.JSON`, value, () => (value as JsonValue[]).map(goAny))],
  ["MaxProperties", "maxProperties", pointer("int64")],
  ["MinProperties", "minProperties", pointer("int64")],
  ["Required", "required", texts],
  ["Items", "items", pointer(`${pkg}.JSONSchemaPropsOrArray`)],
  ["AllOf", "allOf", schemas],
  ["OneOf", "oneOf", schemas],
  ["AnyOf", "anyOf", schemas],
  ["Not", "not", pointer(schemaType)],
  ["Properties", "properties", schemaMap(`map[string]${schemaType}`)],
  ["AdditionalProperties", "additionalProperties", pointer(`${pkg}.JSONSchemaPropsOrBool`)],
  ["PatternProperties", "patternProperties", schemaMap(`map[string]${schemaType}`)],
  ["Dependencies", "dependencies", (value) => goMap(`${pkg}.JSONSchemaDependencies`, value, goDependency)],
  ["AdditionalItems", "additionalItems", pointer(`${pkg}.JSONSchemaPropsOrBool`)],
  ["Definitions", "definitions", schemaMap(`${pkg}.JSONSchemaDefinitions`)],
  ["ExternalDocs", "externalDocs", pointer(`${pkg}.ExternalDocumentation`)],
  ["Example", "example", pointer(`${pkg}.JSON`)],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", pointer("bool")],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", flag],
  ["XIntOrString", "x-kubernetes-int-or-string", flag],
  ["XListMapKeys", "x-kubernetes-list-map-keys", texts],
  ["XListType", "x-kubernetes-list-type", pointer("string")],
  ["XMapType", "x-kubernetes-map-type", pointer("string")],
  ["XValidations", "x-kubernetes-validations", goRules],
];

/** Returns a schema as messages of v1.29 show it: in Go syntax, with fixed memory addresses. */
export function goSchema(schema: JsonValue | undefined): string {
  const object: JsonObject = schema !== undefined && isJsonObject(schema) ? schema : {};
  return goLiteral(
    schemaType,
    Object.fromEntries(members.map(([name, wire, shown]) => [name, shown(asSent(object, wire))])),
  );
}

const lists = new Set([
  "enum",
  "required",
  "allOf",
  "oneOf",
  "anyOf",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-validations",
]);

function asSent(schema: JsonObject, member: string): JsonValue | undefined {
  return lists.has(member) ? listAsSent(schema, member) : mapAsSent(schema, member);
}

/** Returns the Go syntax of `items` that are a list of schemas where one schema should be. */
export function goItems(items: JsonValue): string {
  return goLiteral(`${pkg}.JSONSchemaPropsOrArray`, {
    Schema: goPointer(schemaType, undefined),
    JSONSchemas: schemas(items),
  });
}

function goRules(value: JsonValue | undefined): string {
  const type = `${pkg}.ValidationRules`;
  const rules = (Array.isArray(value) ? value : []).filter(isJsonObject);
  return Array.isArray(value) ? `${type}{${rules.map(goRule).join(", ")}}` : `${type}(nil)`;
}

/** Returns the Go syntax of a rule of `x-kubernetes-validations`. */
export function goRule(rule: JsonObject): string {
  return goLiteral(`${pkg}.ValidationRule`, {
    Rule: text(rule["rule"]),
    Message: text(rule["message"]),
    MessageExpression: text(rule["messageExpression"]),
    Reason: goPointer(`${pkg}.FieldValueErrorReason`, rule["reason"]),
    FieldPath: text(rule["fieldPath"]),
    OptionalOldSelf: goPointer("bool", rule["optionalOldSelf"]),
  });
}

function goDependency(value: JsonValue): string {
  return goLiteral(`${pkg}.JSONSchemaPropsOrStringArray`, {
    Schema: goPointer(schemaType, isJsonObject(value) ? value : undefined),
    Property: goTexts("string", Array.isArray(value) ? value : undefined),
  });
}

function goMap(type: string, value: JsonValue | undefined, shown: (item: JsonValue) => string): string {
  if (value === undefined || !isJsonObject(value)) {
    return `${type}(nil)`;
  }
  const entries = Object.keys(value).sort();
  return `${type}{${entries.map((key) => `${goQuote(key)}:${shown(value[key] ?? null)}`).join(", ")}}`;
}

/** Returns the Go syntax of a value that has no type of its own. */
function goAny(value: JsonValue): string {
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map(goAny).join(", ")}}`;
  }
  if (value !== null && isJsonObject(value)) {
    return goMap("map[string]interface {}", value, goAny);
  }
  return value === null ? "interface {}(nil)" : typeof value === "string" ? goQuote(value) : encodeJson(value);
}

function emptyAsAbsent(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
