import type { JsonValue } from "@gatehouse/envelopes/json";
import { toText } from "./conversion.js";
import { entryAt, keysOf } from "./maps.js";
import { messageText } from "./message-text.js";
import { doubleText, numberOf } from "./numbers.js";
import { isDouble, isInt, isList, isMap, itemsOf, type MapValue } from "./type-name.js";
import { type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from "./value.js";

/**
 * Converts a value to JSON, for those who store or show it: timestamps and durations become texts, bytes base64, an absent
 * optional value null, doubles that JSON cannot hold texts, and values that only functions look into the name of their type.
 */
export function toJson(value: CelValue): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean" || isInt(value)) {
    return value;
  }
  if (isDouble(value)) {
    const number = numberOf(value);
    return Number.isFinite(number) ? number : doubleText(number);
  }
  if (isList(value)) {
    return itemsOf(value).map(toJson);
  }
  if (isMap(value)) {
    return mapToJson(value);
  }
  return objectToJson(value);
}

function objectToJson(value: CelValue): JsonValue {
  if (value instanceof Uint) {
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : value.value;
  }
  if (value instanceof Timestamp || value instanceof Duration) {
    return toText(value);
  }
  if (value instanceof Uint8Array) {
    return Buffer.from(value).toString("base64");
  }
  if (value instanceof Optional) {
    return value.value === undefined ? null : toJson(value.value);
  }
  if (value instanceof TypeValue) {
    return value.name;
  }
  return (value as { readonly typeName: string }).typeName;
}

function mapToJson(map: MapValue): JsonValue {
  // From entries, which define members: a key __proto__ is a member as any other.
  return Object.fromEntries(keysOf(map).map((key) => [keyText(key), toJson(entryAt(map, key) as CelValue)]));
}

function keyText(key: CelValue): string {
  return typeof key === "object" ? messageText(key) : toText(key);
}
