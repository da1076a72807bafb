import { DecodeError } from "../../errors.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json.js";
import { goInfinity, unsupportedKey, type YamlKey } from "./yaml-key.js";

/** Throws DecodeError for the first map in a value that has a key which JSON does not have. */
export function checkKeys(value: JsonValue, keys: ReadonlyMap<JsonObject, YamlKey>): void {
  for (const part of partsOf(value)) {
    const key = isJsonObject(part) ? keys.get(part) : undefined;
    if (key !== undefined) {
      throw unsupportedKey(key, (part as JsonObject)[key.text] ?? null);
    }
  }
}

/** Throws DecodeError for the first number in a value that JSON cannot hold. */
export function checkNumbers(value: JsonValue): void {
  for (const part of partsOf(value)) {
    if (typeof part === "number" && !Number.isFinite(part)) {
      throw new DecodeError(`json: unsupported value: ${goInfinity(part)}`);
    }
  }
}

/** Yields a value and all that is in it, members in the order of their keys, as JSON is written. */
function* partsOf(value: JsonValue): Generator<JsonValue> {
  const pending = [value];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    yield part;
    const inside = Array.isArray(part) ? part : isJsonObject(part) ? membersOf(part) : [];
    for (let i = inside.length - 1; i >= 0; i--) {
      pending.push(inside[i] as JsonValue);
    }
  }
}

function membersOf(map: JsonObject): readonly JsonValue[] {
  return Object.keys(map)
    .sort()
    .map((key) => map[key] ?? null);
}
