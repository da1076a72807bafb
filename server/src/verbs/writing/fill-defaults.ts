import type { JsonObject } from "@gatehouse/envelopes";
import type { ServedResource } from "../../catalogue/served-resource.js";
import type { VerbEnvironment } from "../verb-environment.js";

/**
 * Fills in, in place, what a client may leave out: what the schema states, and what depends on other members or on
 * features. To apply it twice is to apply it once.
 */
export function fillDefaults(environment: VerbEnvironment, served: ServedResource, object: JsonObject): void {
  environment.defaulting(served.schema, object, environment.features);
}
