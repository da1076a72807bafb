import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** A value that a schema allows, as far as it tells how to make one: what is required, and a few members besides. */
export function sampleValue(schema: JsonObject, depth = 0): JsonValue {
  const { default: stated, enum: values, type } = schema;
  if (stated !== undefined && stated !== null) {
    return stated;
  }
  if (Array.isArray(values) && values.length > 0) {
    return values[0] ?? null;
  }
  if (schema["x-kubernetes-int-or-string"] === true) {
    return 1;
  }
  switch (type) {
    case "object":
      return sampleObject(schema, depth);
    case "array":
      return isJsonObject(schema["items"] ?? null) && depth < 4
        ? [sampleValue(schema["items"] as JsonObject, depth + 1)]
        : [];
    case "integer":
      return Math.max(1, Number(schema["minimum"] ?? 1));
    case "number":
      return 1.5;
    case "boolean":
      return true;
    case "string":
      return sampleText(schema);
    default:
      return { a: 1 };
  }
}

function sampleText({ format, minLength }: JsonObject): string {
  return format === "date-time"
    ? "2024-01-01T00:00:00Z"
    : format === "byte"
      ? "Zm9v"
      : "a".repeat(Math.max(1, Number(minLength ?? 1)));
}

const ofEveryObject = new Set(["apiVersion", "kind", "metadata", "status"]);

function sampleObject(schema: JsonObject, depth: number): JsonObject {
  const properties = isJsonObject(schema["properties"] ?? null) ? (schema["properties"] as JsonObject) : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const more = depth < 2 ? Object.keys(properties).slice(0, depth === 0 ? 99 : 4) : [];
  const result: JsonObject = {};
  for (const name of new Set([...required, ...more])) {
    const property = properties[name];
    if (property !== undefined && isJsonObject(property) && !(depth === 0 && ofEveryObject.has(name))) {
      result[name] = sampleValue(property, depth + 1);
    }
  }
  return result;
}
