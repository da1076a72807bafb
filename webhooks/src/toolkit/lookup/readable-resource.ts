import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * A resource whose objects a hook reads; `T` is their assumed type. A hook names it in `reads`, and its handler passes
 * it to `lookup`. Those of built-in kinds are in `@gatehouse/webhooks/resources`.
 *
 * @example
 * const widgets: ReadableResource<Widget> = {
 *   apiVersion: "example.com/v1",
 *   kind: "Widget",
 *   resource: "widgets",
 *   namespaced: true,
 * };
 */
export interface ReadableResource<T = JsonObject> {
  /** API version: `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural name, as in paths: `namespaces`. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Type of the objects, for the compiler only; never set. */
  readonly objects?: readonly T[];
}

/** Name and namespace of an object. Cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}
