import { isGroupVersion } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type ObjectSchema, type Schema, structuralSearch } from "@gatehouse/envelopes/schema";
import { type FieldError, fieldError, hasEnoughErrors } from "@gatehouse/envelopes/status";
import { validateDns1035Label, validateObjectMeta, validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { keyPath, memberPath } from "./walk-paths.js";

/** Returns the errors of apiVersion, kind and metadata of the objects embedded in an object of a custom kind. */
export function embeddedObjectErrors(schema: ObjectSchema, value: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  // The root is an object by itself, and has been checked as one.
  for (const { name, schema: member } of schema.fields) {
    visit(member, value[name] ?? null, name, errors);
  }
  return errors;
}

function visit(schema: Schema, value: JsonValue, path: string, errors: FieldError[]): void {
  if (typeof value !== "object" || value === null || hasEnoughErrors(errors) || !leadsToEmbedded(schema)) {
    return;
  }
  if (Array.isArray(value)) {
    if (schema.type === "list") {
      for (let index = 0; index < value.length; index++) {
        visit(schema.items, value[index] as JsonValue, `${path}[${index}]`, errors);
      }
    }
    return;
  }
  if (isEmbedded(schema)) {
    errors.push(...errorsOfOne(value, path));
  }
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    if (schema.type === "map") {
      visit(schema.values, member, keyPath(path, key), errors);
    } else if (schema.type === "object") {
      const field = schema.properties.get(key);
      if (field !== undefined) {
        visit(field.schema, member, memberPath(path, key), errors);
      }
    }
  }
}

function isEmbedded(schema: Schema): boolean {
  return schema.type !== "union" && schema.structural?.isEmbeddedResource === true;
}

// Few schemas embed objects: most objects are not looked at.
const leadsToEmbedded = structuralSearch(isEmbedded);

function errorsOfOne(object: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion, kind, metadata } = object;
  for (const [name, value] of [
    ["apiVersion", apiVersion],
    ["kind", kind],
  ] as const) {
    if (value === undefined) {
      errors.push(fieldError.required(memberPath(path, name), "must not be empty"));
    }
  }
  errors.push(...apiVersionErrors(apiVersion, memberPath(path, "apiVersion")));
  errors.push(...kindErrors(kind, memberPath(path, "kind")));
  if (isJsonObject(metadata)) {
    errors.push(...metadataErrors(metadata, path));
  }
  return errors;
}

function apiVersionErrors(value: JsonValue | undefined, path: string): FieldError[] {
  if (value === undefined) {
    return [];
  }
  if (typeof value !== "string" || value === "") {
    return [fieldError.invalid(path, value, typeof value === "string" ? "must not be empty" : "must be a string")];
  }
  return isGroupVersion(value) ? [] : [fieldError.invalid(path, value, `unexpected GroupVersion string: ${value}`)];
}

function kindErrors(value: JsonValue | undefined, path: string): FieldError[] {
  if (value === undefined) {
    return [];
  }
  if (typeof value !== "string" || value === "") {
    return [fieldError.invalid(path, value, typeof value === "string" ? "must not be empty" : "must be a string")];
  }
  const problems = validateDns1035Label(value.toLowerCase());
  return problems.length === 0
    ? []
    : [fieldError.invalid(path, value, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

/** Returns the errors of the metadata of an embedded object. One that does not exist yet needs no name. */
function metadataErrors(metadata: JsonObject, path: string): FieldError[] {
  const { name, namespace } = metadata;
  const named = name === undefined || name === "" ? { ...metadata, name: "fakename" } : metadata;
  return validateObjectMeta(named, {
    namespaced: namespace !== undefined && namespace !== "",
    validateName: validatePathSegmentName,
    onlyKnownFinalizers: false,
  }).map((error) => ({ ...error, field: memberPath(path, error.field) }));
}
