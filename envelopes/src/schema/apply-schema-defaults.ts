import { isJsonObject, type JsonObject, type JsonValue } from "../json.js";
import type { ObjectSchema, Schema } from "./schema.js";

/** Fills in one object's defaults, and those of everything inside it. */
type Filler = (object: JsonObject) => void;
type ValueFiller = (value: JsonValue) => void;

const fillers = new WeakMap<ObjectSchema, Filler>();

/** Fills in, in place, the defaults that the schema states: members that are absent get them, all others stay. */
export function applySchemaDefaults(schema: ObjectSchema, object: JsonObject): void {
  fillerOf(schema)(object);
}

/** Compiled once per struct. Recursive structs refer to themselves through the map. */
function fillerOf(schema: ObjectSchema): Filler {
  let filler = fillers.get(schema);
  if (filler === undefined) {
    // Whoever comes back here while this one is compiled gets a filler that looks again when it is used.
    fillers.set(schema, (object) => (fillers.get(schema) as Filler)(object));
    filler = compile(schema);
    fillers.set(schema, filler);
  }
  return filler;
}

function compile(schema: ObjectSchema): Filler {
  const steps: Filler[] = [];
  for (const [key, field] of schema.properties) {
    const fallback = field.default;
    if (fallback !== undefined) {
      steps.push((object) => {
        if (object[key] === undefined || object[key] === null) {
          object[key] = typeof fallback === "object" ? structuredClone(fallback) : fallback;
        }
      });
    }
    if (hasDefaults(field.schema, new Set())) {
      const fill = valueFiller(field.schema);
      steps.push((object) => {
        const value = object[key];
        if (value !== undefined && value !== null) {
          fill(value);
        }
      });
    }
  }
  return (object) => {
    for (const step of steps) {
      step(object);
    }
  };
}

function valueFiller(schema: Schema): ValueFiller {
  switch (schema.type) {
    case "object": {
      const fill = fillerOf(schema);
      return (value) => {
        if (isJsonObject(value)) {
          fill(value);
        }
      };
    }
    case "list": {
      const fill = valueFiller(schema.items);
      return (value) => {
        if (Array.isArray(value)) {
          value.forEach(fill);
        }
      };
    }
    case "map": {
      const fill = valueFiller(schema.values);
      return (value) => {
        if (isJsonObject(value)) {
          for (const item of Object.values(value)) {
            fill(item as JsonValue);
          }
        }
      };
    }
    default:
      return () => {};
  }
}

/** Whether anything below has a default: most of a pod has none, and is not walked. */
function hasDefaults(schema: Schema, seen: Set<ObjectSchema>): boolean {
  switch (schema.type) {
    case "object": {
      if (seen.has(schema)) {
        return false;
      }
      seen.add(schema);
      for (const field of schema.properties.values()) {
        if (field.default !== undefined || hasDefaults(field.schema, seen)) {
          return true;
        }
      }
      return false;
    }
    case "list":
      return hasDefaults(schema.items, seen);
    case "map":
      return hasDefaults(schema.values, seen);
    default:
      return false;
  }
}
