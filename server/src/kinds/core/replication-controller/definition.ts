import {
  generationOfSpec,
  type KindDefinition,
  scaleSubresource,
  statusSubresource,
} from "@gatehouse/apiserver/registry";
import { integerAt } from "@gatehouse/envelopes/json";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { replicationControllerColumns } from "./columns.js";
import { replicationControllerValidation } from "./validation.js";

/**
 * The definition of ReplicationController, the predecessor of ReplicaSet, stored under `controllers`. A deletion
 * without a propagation policy orphans its pods.
 */
export const replicationControllerDefinition: KindDefinition = {
  resource: "replicationcontrollers",
  kind: "ReplicationController",
  namespaced: true,
  shortNames: ["rc"],
  categories: ["all"],
  subresources: [
    { ...scaleSubresource, missingAs: { group: "autoscaling", resource: "replicationcontrollers/scale" } },
    statusSubresource,
  ],
  storage: { prefix: "controllers" },
  storageVersionHash: "Jond2If31h0=",
  fields: { "status.replicas": (controller) => String(integerAt(controller, "status", "replicas")) },
  table: replicationControllerColumns,
  strategy: {
    validation: replicationControllerValidation,
    // v1.29 warns about the replaced template, not about the new one.
    warnings: namedTemplateWarnings(["spec", "template"], { ofUpdate: "before" }),
    metadata: { rechecks: "inValidation" },
    generation: generationOfSpec,
    deletion: { defaultPropagation: "Orphan" },
  },
};
