import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes";

function keepLabels(deployment: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(deployment), ["labels"]);
}

/** Annotations are desired state, and an update of /status leaves the labels alone. */
export const deploymentStrategy: ResourceStrategy = {
  // Annotations first: where they have changed, nobody needs to look at the rest.
  desiredState: ["metadata.annotations", "spec"],
  prepareForStatusUpdate: keepLabels,
};
