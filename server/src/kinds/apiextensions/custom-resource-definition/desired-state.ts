import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes";

/** Members that Go holds as maps: an empty one is none. */
const maps = new Set(["properties", "patternProperties", "definitions", "dependencies"]);
/** Members that hold any JSON. */
const raw = new Set(["default", "example", "enum"]);

/**
 * The spec in a form in which no two specs are the same that v1.29 tells apart: an empty object, `status: {}` for one, is
 * not the same as none.
 */
export function definitionState(definition: JsonObject): JsonValue | undefined {
  return marked("", definition["spec"] ?? null);
}

function marked(name: string, value: JsonValue): JsonValue {
  if (raw.has(name)) {
    return [sorted(value)];
  }
  if (Array.isArray(value)) {
    return value.map((item) => marked("", item));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value);
  return members.length === 0 && !maps.has(name)
    ? "{}"
    : Object.fromEntries(members.map(([member, inner]) => [member, marked(member, inner ?? null)]));
}

/** JSON whose members come in one order. */
function sorted(value: JsonValue): string {
  return JSON.stringify(value, (_name, inner: JsonValue) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : typeof inner === "bigint"
        ? String(inner)
        : inner,
  );
}
