import { copySorted, type JsonObject, type JsonValue, type Schema } from "@gatehouse/envelopes";

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
      setMember(object, field.name, value);
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

/** A member called `__proto__` is a member like any other. */
function setMember(object: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

// Most schemas state few defaults, most objects are large: only what leads to one is visited.
const leads = new WeakMap<Schema, boolean>();

function leadsToDefaults(schema: Schema): boolean {
  let known = leads.get(schema);
  if (known === undefined) {
    // Kinds that are not custom may contain themselves; nothing of theirs is filled in here.
    leads.set(schema, false);
    known = innerSchemas(schema).some((inner) => hasDefault(inner) || leadsToDefaults(inner));
    leads.set(schema, known);
  }
  return known;
}

function hasDefault(schema: Schema): boolean {
  return schema.type !== "union" && schema.structural?.default !== undefined;
}

function innerSchemas(schema: Schema): readonly Schema[] {
  switch (schema.type) {
    case "object":
      return schema.structural === undefined ? [] : schema.fields.map((field) => field.schema);
    case "list":
      return [schema.items];
    case "map":
      return [schema.values];
    default:
      return [];
  }
}
