import { EvaluationError } from "../values/evaluation-error.js";
import { entryAt } from "../values/maps.js";
import { messageText } from "../values/message-text.js";
import { isInt, isList, isMap, isPlainObject, itemsOf, typeName } from "../values/type-name.js";
import { BoxedDouble, CelObject, type CelValue, Uint } from "../values/value.js";
import { indexTypeName } from "./go-type-name.js";

/** Names that every object inherits, which must not be read without looking whether it is an own member. */
const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Returns true if objects inherit a member of that name. */
export function isInherited(name: string): boolean {
  return inheritedNames.has(name);
}

/**
 * Returns a member of a JSON object that is not the name of an inherited one, or a field of another object that is known
 * already; undefined for all other values.
 */
export function plainMember(object: unknown, name: string): CelValue | undefined {
  if (object instanceof CelObject) {
    return object.known(name);
  }
  return isPlainObject(object) ? object[name] : undefined;
}

/**
 * Selects an element of a map, list or object by its key. Returns undefined if there is none. Throws EvaluationError for
 * keys that a list cannot have.
 */
export function findElement(container: CelValue, key: CelValue): CelValue | undefined {
  if (isMap(container)) {
    return entryAt(container, key);
  }
  if (isList(container)) {
    return itemsOf(container)[listIndex(key)];
  }
  return container instanceof CelObject && typeof key === "string" ? container.field(key) : undefined;
}

/** Returns the error for an element that is not there. */
export function missingElement(container: CelValue, key: CelValue): EvaluationError {
  return new EvaluationError(`${isList(container) ? "index out of bounds" : "no such key"}: ${messageText(key)}`);
}

/** Throws EvaluationError, with the name of its type, if a value can be no key of any map and no index of any list. */
export function checkKey(key: CelValue, nameOf: (value: CelValue) => string = indexTypeName): void {
  const isKey =
    typeof key === "string" ||
    typeof key === "number" ||
    typeof key === "boolean" ||
    typeof key === "bigint" ||
    key instanceof Uint ||
    key instanceof BoxedDouble;
  if (!isKey) {
    throw new EvaluationError(`invalid qualifier type: ${nameOf(key)}`);
  }
}

function listIndex(key: CelValue): number {
  if (isInt(key)) {
    return Number(key);
  }
  if (key instanceof Uint && key.value < 2n ** 63n) {
    return Number(key.value);
  }
  if (key instanceof BoxedDouble && Math.abs(key.value) < 2 ** 63) {
    return key.value;
  }
  if (key instanceof Uint || key instanceof BoxedDouble || typeof key === "number") {
    throw new EvaluationError(`unsupported index value ${messageText(key)} in list`);
  }
  throw new EvaluationError(`unsupported index type '${typeName(key)}' in list`);
}
