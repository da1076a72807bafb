import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes";

const single = ["items", "not", "additionalProperties", "additionalItems"];
const lists = ["items", "allOf", "anyOf", "oneOf"];
const maps = ["properties", "patternProperties", "definitions", "dependencies"];

/** Whether any node of a schema, wherever it stands, is one that is looked for. */
export function someNode(schema: JsonObject, isWanted: (node: JsonObject) => boolean): boolean {
  return isWanted(schema) || nestedIn(schema).some((node) => someNode(node, isWanted));
}

/** Whether one of several schemas is so, with a pause after each. */
export function* someSchema(
  schemas: readonly JsonObject[],
  isSo: (schema: JsonObject) => boolean,
): Generator<undefined, boolean, undefined> {
  for (const schema of schemas) {
    if (isSo(schema)) {
      return true;
    }
    yield;
  }
  return false;
}

function nestedIn(schema: JsonObject): readonly JsonObject[] {
  const nested: (JsonValue | undefined)[] = single.map((member) => schema[member]);
  for (const member of lists) {
    const list = schema[member];
    nested.push(...(Array.isArray(list) ? list : []));
  }
  for (const member of maps) {
    const map = schema[member];
    nested.push(...(isJsonObject(map) ? Object.values(map) : []));
  }
  return nested.filter((node): node is JsonObject => node !== undefined && isJsonObject(node));
}
