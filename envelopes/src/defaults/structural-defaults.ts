import { copySorted } from "../codec/copy-sorted.js";
import { setKey } from "../codec/object-plan.js";
import type { JsonObject, JsonValue } from "../json.js";
import type { Schema } from "../schema/schema.js";
import { structuralSearch } from "../schema/structural-search.js";

/**
 * Fills in, in place, the defaults that the schema of a custom kind states: for members that are absent, and for nulls
 * where none are allowed. What has been filled in gets defaults of its own.
 */
export function applyStructuralDefaults(schema: Schema, value: JsonValue): void {
  if (typeof value !== "object" || value === null || !leadsToDefaults(schema)) {
    return;
  }
  if (Array.isArray(value)) {
    if (schema.type === "list") {
      for (let index = 0; index < value.length; index++) {
        value[index] = filled(schema.items, value[index] as JsonValue);
      }
    }
    return;
  }
  if (schema.type === "object") {
    fillMembers(schema, value);
  } else if (schema.type === "map") {
    for (const key of Object.keys(value)) {
      value[key] = filled(schema.values, value[key] as JsonValue);
    }
  }
}

function fillMembers(schema: Schema & { readonly type: "object" }, object: JsonObject): void {
  for (const field of schema.fields) {
    const present = Object.hasOwn(object, field.name) ? object[field.name] : undefined;
    if (present === undefined && field.default === undefined) {
      continue;
    }
    const value = filled(field.schema, present ?? null, present === undefined);
    if (value !== present) {
      setKey(object, field.name, value);
    }
  }
}

/** The value, or the default in its place. */
function filled(schema: Schema, value: JsonValue, isAbsent = false): JsonValue {
  const structural = schema.type === "union" ? undefined : schema.structural;
  const needsDefault = isAbsent || (value === null && structural?.nullable === false);
  const stated = structural?.default;
  const result = needsDefault && stated !== undefined ? copySorted(stated) : value;
  applyStructuralDefaults(schema, result);
  return result;
}

// Most schemas state few defaults, most objects are large: only what leads to one is visited.
const leadsToDefaults = structuralSearch(
  (schema) => schema.type !== "union" && schema.structural?.default !== undefined,
);
