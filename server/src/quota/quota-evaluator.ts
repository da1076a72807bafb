import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { ResourceList } from "./resource-list.js";
import type { QuotaScope } from "./scopes.js";

/** The features that are switched on. */
export interface EnabledFeatures {
  enabled(name: string): boolean;
}

/** The inputs of usage besides the object. */
export interface UsageContext {
  /** The time in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly features: EnabledFeatures;
}

/** The rules by which the objects of one resource count for quotas. */
export interface QuotaEvaluator {
  readonly resource: GroupResource;
  /** True if each object uses the same, regardless of its content. */
  readonly isCountOnly: boolean;
  /** Reports whether updates of an object can change its usage, so that they are charged. */
  changes(features: EnabledFeatures): boolean;
  /** Reports whether objects of this resource count for an amount, by its name in quotas. */
  matches(name: string): boolean;
  /** Returns the usage of one object. */
  usage(object: JsonObject, context: UsageContext): ResourceList;
  /** Reports whether a quota with such a scope counts the object. */
  isInScope(object: JsonObject, scope: QuotaScope): boolean;
  /** Returns a message for limited amounts of these names that the object does not state; undefined for none. */
  missing?(object: JsonObject, names: readonly string[]): string | undefined;
}
