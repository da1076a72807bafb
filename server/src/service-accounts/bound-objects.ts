import type { JsonObject } from "@gatehouse/envelopes/json";

/** The objects that tokens are bound to. */
export interface BoundObjects {
  /**
   * Returns an object as it is now; undefined if there is none. Must be cheap: called for every token that is not
   * cached.
   */
  find(
    resource: "serviceaccounts" | "pods" | "secrets" | "nodes",
    namespace: string,
    name: string,
  ): Promise<JsonObject | undefined>;
}
