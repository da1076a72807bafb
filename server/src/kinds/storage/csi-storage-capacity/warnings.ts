import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { deprecatedExpressions, deprecatedKeys } from "../../core/node/deprecated-labels.js";

/** Returns the warnings about a storage capacity. */
export function csiStorageCapacityWarnings(capacity: JsonObject): readonly string[] {
  const topology = objectAt(capacity, "nodeTopology");
  return [
    ...deprecatedExpressions(topology, "nodeTopology"),
    ...deprecatedKeys(objectAt(topology, "matchLabels"), (label) => `nodeTopology.matchLabels.${label}`),
  ];
}
