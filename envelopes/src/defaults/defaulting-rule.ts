import type { JsonObject, JsonValue } from "../json.js";

/**
 * Fills in what a value of one message lacks, in place. A rule never changes what is there, so that to apply it twice is
 * to apply it once. It sees its own message only; the messages inside have rules of their own, which run after it.
 * `G` is what rules are told of the features that are on.
 */
export type DefaultingRule<G> = (value: JsonObject, features: G) => void;

/** Rules by full message name. */
export type DefaultingRules<G> = Readonly<Record<string, DefaultingRule<G>>>;

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
