import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";

function keepLabels(deployment: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(deployment), ["labels"]);
}

/** The strategy of Deployment: annotations are desired state, and an update of /status leaves the labels alone. */
export const deploymentStrategy: ResourceStrategy = {
  // Annotations come first: if they have changed, the rest need not be compared.
  desiredState: ["metadata.annotations", "spec"],
  prepareForStatusUpdate: keepLabels,
};
