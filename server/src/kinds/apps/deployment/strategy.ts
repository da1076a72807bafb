import { copyMembers, metaOf } from "@gatehouse/apiserver/objects";
import { generationOf, type KindStrategy } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { deploymentValidation } from "./validation.js";

function keepLabels(deployment: JsonObject, old: JsonObject): void {
  copyMembers(metaOf(old), metaOf(deployment), ["labels"]);
}

/** The strategy of Deployment: annotations are desired state, and an update of /status leaves the labels alone. */
export const deploymentStrategy: KindStrategy = {
  validation: deploymentValidation,
  warnings: namedTemplateWarnings(["spec", "template"]),
  metadata: { rechecks: ["change"] },
  // Annotations come first: if they have changed, the rest need not be compared.
  generation: generationOf("metadata.annotations", "spec"),
  status: { resetFields: ["spec", "metadata.labels"], prepareForUpdate: keepLabels },
};
