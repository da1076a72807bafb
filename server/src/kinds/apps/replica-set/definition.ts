import {
  generationOfSpec,
  type KindDefinition,
  scaleSubresource,
  statusSubresource,
} from "@gatehouse/apiserver/registry";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { replicaSetColumns } from "./columns.js";
import { replicaSetValidation } from "./validation.js";

/** The definition of ReplicaSet, a number of pods from one template; mostly a deployment owns it. */
export const replicaSetDefinition: KindDefinition = {
  resource: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
  shortNames: ["rs"],
  categories: ["all"],
  subresources: [
    { ...scaleSubresource, missingAs: { group: "apps", resource: "replicasets/scale" } },
    statusSubresource,
  ],
  storageVersionHash: "P1RzHs8/mWQ=",
  table: replicaSetColumns,
  strategy: {
    validation: replicaSetValidation,
    warnings: namedTemplateWarnings(["spec", "template"]),
    metadata: { rechecks: "inValidation" },
    generation: generationOfSpec,
  },
};
