import { entryCount } from "./maps.js";
import { isPlainObject } from "./type-name.js";
import { CelList, CelMap, type CelValue } from "./value.js";

/** Returns the number of code points of a string; a lone surrogate counts as one. */
export function codePointCount(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) {
      count--;
      index++;
    }
  }
  return count;
}

/**
 * Returns the size of a string in code points, of bytes, or of a list or map in entries; undefined for values that have
 * none.
 */
export function sizeOf(value: CelValue): number | undefined {
  if (typeof value === "string") {
    return codePointCount(value);
  }
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  if (Array.isArray(value) || value instanceof Uint8Array) {
    return value.length;
  }
  if (isPlainObject(value)) {
    return entryCount(value);
  }
  if (value instanceof CelMap) {
    return value.entries.size;
  }
  return value instanceof CelList ? value.items.length : undefined;
}

/** Returns the size that the cost of an operation on a value depends on: 1 for values without a size. */
export function costSize(value: CelValue): number {
  return sizeOf(value) ?? 1;
}
