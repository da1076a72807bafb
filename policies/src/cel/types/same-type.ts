import type { CelType } from "./cel-type.js";
import { partsOf } from "./type-parts.js";
import { typeName } from "./type-text.js";

/** Returns true if two types are the same. Object types are the same if their names are. */
export function isSameType(a: CelType, b: CelType): boolean {
  if (a === b) {
    return true;
  }
  if (a.kind !== b.kind || typeName(a) !== typeName(b)) {
    return false;
  }
  const partsOfA = partsOf(a);
  const partsOfB = partsOf(b);
  return partsOfA.length === partsOfB.length && partsOfA.every((part, index) => isSameType(part, partsOfB[index] ?? a));
}
