import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy } from "../../../catalogue/resource-definition.js";
import { valueAt } from "../../../objects/json-fields.js";
import { copyMembers, metaOf } from "../../../objects/object-meta.js";

/** Deployments count changes of their annotations, too. */
function specAndAnnotations(deployment: JsonObject): JsonObject {
  return { spec: deployment["spec"], annotations: valueAt(deployment, "metadata", "annotations") };
}

function keepLabels(deployment: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(deployment), ["labels"]);
}

/** Annotations are desired state, and an update of /status leaves the labels alone. */
export const deploymentStrategy: ResourceStrategy = {
  desiredState: specAndAnnotations,
  prepareForStatusUpdate: keepLabels,
};
