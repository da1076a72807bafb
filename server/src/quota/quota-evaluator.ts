import type { GroupResource, JsonObject } from "@gatehouse/envelopes";
import type { ResourceList } from "./resource-list.js";
import type { QuotaScope } from "./scopes.js";

/** The features that are switched on. */
export interface EnabledFeatures {
  enabled(name: string): boolean;
}

/** What else usage depends on. */
export interface UsageContext {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly features: EnabledFeatures;
}

/** How the objects of one resource count for quotas. */
export interface QuotaEvaluator {
  readonly resource: GroupResource;
  /** Whether each object uses the same, whatever is in it. */
  readonly isCountOnly: boolean;
  /** Whether changes of an object can change what it uses, so that they are charged. */
  changes(features: EnabledFeatures): boolean;
  /** Whether objects of this resource decide about an amount, by the name that quotas have for it. */
  matches(name: string): boolean;
  /** What one object uses. */
  usage(object: JsonObject, context: UsageContext): ResourceList;
  /** Whether a quota with such a scope counts the object. */
  isInScope(object: JsonObject, scope: QuotaScope): boolean;
  /** What the object must say, where amounts of these names are limited, and does not. */
  missing?(object: JsonObject, names: readonly string[]): string | undefined;
}
