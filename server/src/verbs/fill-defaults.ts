import type { JsonObject } from "@gatehouse/envelopes";
import type { ServedResource } from "../catalogue/served-resource.js";
import { applyDefaults } from "../defaults/apply-defaults.js";
import type { VerbEnvironment } from "./verb-environment.js";

/** Fills in what a client may leave out. */
export function fillDefaults(environment: VerbEnvironment, served: ServedResource, object: JsonObject): void {
  applyDefaults(served, object, environment.features);
  served.definition.defaults?.(object);
}
