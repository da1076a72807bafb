import {
  type DefaultingRule as DefaultingRuleFor,
  type JsonObject,
  setIfAbsent,
  setIfZero,
} from "@gatehouse/envelopes";
import type { FeatureGates } from "../config/feature-gates.js";
import { objectAt } from "../objects/json-fields.js";

export { setIfAbsent, setIfZero };

/** A rule that is told which features of the server are on. */
export type DefaultingRule = DefaultingRuleFor<FeatureGates>;

/** Rules by full message name. */
export type DefaultingRules = Readonly<Record<string, DefaultingRule>>;

/** Rules with a package in front of their names. */
export function rulesOf(packageName: string, rules: DefaultingRules): DefaultingRules {
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [`${packageName}.${name}`, rule]));
}

/** Copies a map in the place of one that is absent or empty. */
export function copyIfEmpty(object: JsonObject, name: string, from: JsonObject): void {
  if (Object.keys(from).length > 0 && Object.keys(objectAt(object, name)).length === 0) {
    object[name] = { ...from };
  }
}
