import { applySchemaDefaults, type JsonObject } from "@gatehouse/envelopes";
import { applyDefaults } from "../defaults/apply-defaults.js";
import type { ServedResource } from "../served-resource.js";

/** Fills in what a client may leave out: what the schema states, what depends on other members, what the kind adds. */
export function fillDefaults(served: ServedResource, object: JsonObject): void {
  applySchemaDefaults(served.schema, object);
  applyDefaults(served.group, served.version, served.kind, object);
  served.definition.defaults?.(object);
}
