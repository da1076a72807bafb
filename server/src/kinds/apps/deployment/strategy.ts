import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { copyMembers, metaOf } from "../../../objects/object-meta.js";

function keepLabels(deployment: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(deployment), ["labels"]);
}

/** The strategy of Deployment: annotations are desired state, and an update of /status leaves the labels alone. */
export const deploymentStrategy: ResourceStrategy = {
  // Annotations come first: if they have changed, the rest need not be compared.
  desiredState: ["metadata.annotations", "spec"],
  prepareForStatusUpdate: keepLabels,
};
