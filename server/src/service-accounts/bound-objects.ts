import type { JsonObject } from "@gatehouse/envelopes/json";

/** The objects that tokens are bound to. */
export interface BoundObjects {
  /** An object as it is now; undefined where there is none. Cheap: asked with every token that is not known yet. */
  find(
    resource: "serviceaccounts" | "pods" | "secrets" | "nodes",
    namespace: string,
    name: string,
  ): Promise<JsonObject | undefined>;
}
