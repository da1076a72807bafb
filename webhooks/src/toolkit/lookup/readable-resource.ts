import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * A resource whose objects a hook reads. `T` is what they are taken to be. Made once, named in `reads` of the hook, and
 * given to `lookup` in its handler. Those of built-in kinds are in `@gatehouse/webhooks/resources`.
 */
export interface ReadableResource<T = JsonObject> {
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name, as in paths: `namespaces`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** For the compiler only: what ties the type to the value. */
  readonly objects?: readonly T[];
}

/** Where an object is. The namespace is left out for what belongs to none. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}
