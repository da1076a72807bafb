import { type MapKey, mapKey } from "../values/maps.js";
import { BoxedDouble, type CelValue, Uint } from "../values/value.js";
import { isError, type Step } from "./frame.js";

/**
 * Returns the step that looks for a value in a list literal, which costs nothing beside the value, as in v1.29. Undefined: the
 * list has elements that are no numbers, strings or booleans.
 */
export function membershipStep(value: Step, list: readonly CelValue[]): Step | undefined {
  if (!list.every(isScalar)) {
    return undefined;
  }
  const keys = new Set<MapKey | undefined>(list.map(mapKey).filter((key) => !Number.isNaN(key)));
  return (frame) => {
    const found = value(frame);
    if (typeof found === "string" || isError(found)) {
      return typeof found === "string" ? keys.has(found) : found;
    }
    const key = mapKey(found);
    return key !== undefined && keys.has(key);
  };
}

function isScalar(value: CelValue): boolean {
  return (typeof value !== "object" && value !== undefined) || value instanceof Uint || value instanceof BoxedDouble;
}
