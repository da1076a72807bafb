import type { EnabledFeatures } from "../features/enabled-features.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { objectAt } from "../json/json-fields.js";

/**
 * Fills in what a value of one message lacks, in place. A function never changes what is there, so that calling it twice has the effect of
 * calling it once. It sees its own message only; the messages inside have functions of their own, which run after it.
 */
export type DefaultingFunction = (value: JsonObject, features: EnabledFeatures) => void;

/** Defaulting functions by full message name. */
export type DefaultingFunctions = Readonly<Record<string, DefaultingFunction>>;

/** Returns functions with a package in front of their names. */
export function inPackage(packageName: string, functions: DefaultingFunctions): DefaultingFunctions {
  return Object.fromEntries(Object.entries(functions).map(([name, apply]) => [`${packageName}.${name}`, apply]));
}

/** Sets a member that is absent or null: one for which a zero value means something. */
export function setIfAbsent(object: JsonObject, name: string, value: JsonValue): void {
  if (object[name] === undefined || object[name] === null) {
    object[name] = value;
  }
}

/** Sets a member that is absent or has its zero value: one for which that means the same. */
export function setIfZero(object: JsonObject, name: string, value: JsonValue): void {
  const current = object[name];
  if (current === undefined || current === null || current === "" || current === 0 || current === false) {
    object[name] = value;
  }
}

/** Copies a map in the place of one that is absent or empty. */
export function copyIfEmpty(object: JsonObject, name: string, from: JsonObject): void {
  if (Object.keys(from).length > 0 && Object.keys(objectAt(object, name)).length === 0) {
    object[name] = { ...from };
  }
}
