import type { JsonObject } from "@gatehouse/envelopes/json";
import type { FieldError } from "@gatehouse/envelopes/status";
import type { ScalePaths } from "@gatehouse/policies/structural-schemas";
import { scaleSubresource, statusSubresource } from "../registry/define-resource.js";
import { storageVersionHash } from "../registry/storage-version-hash.js";
import type { KindStrategy } from "../registry/strategies/resource-strategy.js";
import type { StrategyContext } from "../registry/strategies/strategy-context.js";
import { customScale } from "../structural-schemas/scale-view.js";
import { schemaKindStrategy, schemaKindVerbs } from "../structural-schemas/schema-kinds.js";
import type { ValidateFurther } from "../structural-schemas/schema-rules.js";
import type { ApiResource } from "./api-group.js";
import { defineShape, type ResourceShape } from "./resource-shape.js";

/** A resource whose objects are stored. `T` is the type of an object that its schema allows. */
export interface StoredResource<T extends object> extends ResourceShape {
  /** True if the status is written through `/status` only. */
  readonly hasStatus?: boolean;
  /** The paths that `/scale` shows; the resource has no such subresource when absent. */
  readonly scale?: ScalePaths;
  /**
   * Returns the errors of an object that its schema allows. `old` is the object that is replaced; undefined for a new one.
   * Called with every attempt to write, also through a subresource, which `context` names; must not change its arguments.
   */
  readonly validate?: (object: T, old: T | undefined, context: StrategyContext) => readonly FieldError[];
  /** The rules by verb that depart from those of any kind. */
  readonly strategy?: Omit<KindStrategy, "validation">;
}

/**
 * Declares a resource whose objects are stored, in one version.
 *
 * @example
 * ```ts
 * const shirts = defineResource<Shirt>({
 *   group: "shop.example.com",
 *   version: "v1",
 *   resource: "shirts",
 *   kind: "Shirt",
 *   namespaced: true,
 *   schema: { type: "object", properties: { spec: { type: "object", properties: { size: { type: "integer" } } } } },
 *   columns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
 *   validate: ({ spec }) => (spec.size > 0 ? [] : [fieldError.invalid("spec.size", spec.size, "must be positive")]),
 * });
 * ```
 */
export function defineResource<T extends object = JsonObject>(resource: StoredResource<T>): ApiResource {
  const { group, version, kind, hasStatus = false, scale, validate, strategy } = resource;
  return defineShape(
    resource,
    {
      strategy: { ...schemaKindStrategy, ...strategy },
      verbs: schemaKindVerbs,
      subresources: [...(hasStatus ? [statusSubresource] : []), ...(scale === undefined ? [] : [scaleSubresource])],
      storageVersionHash: storageVersionHash(group, version, kind),
      storage: { prefix: `${group}/${resource.resource}` },
      ...(scale === undefined ? {} : { scale: customScale(scale, () => scale) }),
    },
    // Objects come to be validated when their schema has allowed them.
    { scale, validate: validate as ValidateFurther | undefined },
  );
}
