import type { CelType, ValueReader } from "../types/cel-type.js";
import { entryAt, keysOf, literalKey, type MapKey } from "../values/maps.js";
import { isMap } from "../values/type-name.js";
import { CelMap, type CelValue } from "../values/value.js";

/**
 * Returns the function that converts a whole value of a declared type, for values that leave static typing. Undefined: JSON
 * of the type is used as it is.
 */
export function readerOf(type: CelType): ValueReader | undefined {
  switch (type.kind) {
    case "object":
      return type.read;
    case "list": {
      const read = type.readElement ?? readerOf(type.elements);
      return read && ((value) => (Array.isArray(value) ? value.map(read) : value));
    }
    case "map": {
      const read = type.readValue ?? readerOf(type.values);
      return read && ((value) => (isMap(value) ? readEntries(value, read) : value));
    }
    default:
      return undefined;
  }
}

function readEntries(map: Parameters<typeof keysOf>[0], read: ValueReader): CelValue {
  const entries = new Map<MapKey, CelValue>();
  for (const key of keysOf(map)) {
    entries.set(literalKey(entries, key), read(entryAt(map, key) as CelValue));
  }
  return new CelMap(entries);
}
