import { toText } from "./conversion.js";
import { entryAt, keysOf } from "./maps.js";
import { doubleText, numberOf } from "./numbers.js";
import { isDouble, isList, isMap, isOpaque, itemsOf } from "./type-name.js";
import { CelObject, type CelValue, Optional, TypeValue } from "./value.js";

/** Returns the text by which messages show a value: `[1, two]`, `{a: 1}`. */
export function messageText(value: CelValue): string {
  if (value === null) {
    return "null";
  }
  if (isDouble(value)) {
    return doubleText(numberOf(value));
  }
  if (isList(value)) {
    return `[${itemsOf(value).map(messageText).join(", ")}]`;
  }
  if (isMap(value)) {
    return `{${keysOf(value)
      .map((key) => `${messageText(key)}: ${messageText(entryAt(value, key) as CelValue)}`)
      .join(", ")}}`;
  }
  if (value instanceof Optional) {
    return value.value === undefined ? "optional.none()" : `optional(${messageText(value.value)})`;
  }
  if (value instanceof TypeValue) {
    return value.name;
  }
  if (value instanceof Uint8Array) {
    return `[${[...value].join(" ")}]`;
  }
  return isOpaque(value) || value instanceof CelObject ? value.typeName : toText(value);
}
