import { isIntNumber } from "../values/type-name.js";
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
  const keys = new Set(list.map(scalarKey).filter((key) => !Number.isNaN(key)));
  return (frame) => {
    const found = value(frame);
    if (typeof found === "string" || isError(found)) {
      return typeof found === "string" ? keys.has(found) : found;
    }
    const key = scalarKey(found);
    return key !== undefined && keys.has(key);
  };
}

/** Returns what is the same for all scalar values that are equal; undefined for other values. */
function scalarKey(value: CelValue): CelValue | undefined {
  if (value instanceof BoxedDouble) {
    return numberKey(value.value);
  }
  if (value instanceof Uint) {
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : value.value;
  }
  return typeof value === "object" && value !== null ? undefined : value;
}

function numberKey(value: number): CelValue {
  return isIntNumber(value) && !Number.isSafeInteger(value) ? BigInt(value) : value + 0;
}

function isScalar(value: CelValue): boolean {
  return (typeof value !== "object" && value !== undefined) || value instanceof Uint || value instanceof BoxedDouble;
}
