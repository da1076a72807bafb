import {
  generationOfSpec,
  type KindDefinition,
  scaleSubresource,
  statusSubresource,
} from "@gatehouse/apiserver/registry";
import { validateLabelName } from "@gatehouse/envelopes/validation";
import { statefulSetColumns } from "./columns.js";
import { statefulSetValidation } from "./validation.js";
import { statefulSetWarnings } from "./warnings.js";

/** The definition of StatefulSet, whose name must be a DNS label: the names of its pods begin with it. */
export const statefulSetDefinition: KindDefinition = {
  resource: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
  shortNames: ["sts"],
  categories: ["all"],
  subresources: [scaleSubresource, statusSubresource],
  storageVersionHash: "H+vl74LkKdo=",
  table: statefulSetColumns,
  strategy: {
    validation: statefulSetValidation,
    warnings: statefulSetWarnings,
    metadata: { rechecks: "inValidation", validateName: validateLabelName },
    generation: generationOfSpec,
  },
};
