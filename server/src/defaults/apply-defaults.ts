import { type GroupVersionKind, type JsonObject, kindSchema } from "@gatehouse/envelopes";
import { defaultFeatureGates, type FeatureGates } from "../feature-gates.js";
import { defaultingRules } from "./all-rules.js";
import { createDefaulting } from "./defaulting-plan.js";

const defaulting = createDefaulting(defaultingRules);
const defaultGates = defaultFeatureGates();

/**
 * Fills in, in place, what a decoded object of a built-in kind lacks and what v1.29 fills in: what the schema states,
 * and what depends on other members or on features. To apply it twice is to apply it once. Kinds that are not built in are left alone.
 */
export function applyDefaults(kind: GroupVersionKind, object: JsonObject, features: FeatureGates = defaultGates): void {
  const schema = kindSchema(kind.group, kind.version, kind.kind)?.schema;
  if (schema !== undefined) {
    defaulting(schema, object, features);
  }
}
