import { createDefaulting as createDefaultingFor, type Defaulting as DefaultingFor } from "@gatehouse/envelopes";
import type { FeatureGates } from "../config/feature-gates.js";
import type { DefaultingRules } from "./defaulting-rule.js";

/** Applies what the schema states, and all rules, to an object of a schema and to everything inside it. */
export type Defaulting = DefaultingFor<FeatureGates>;

/** Compiles rules that are told which features of the server are on. */
export function createDefaulting(rules: DefaultingRules): Defaulting {
  return createDefaultingFor(rules);
}
