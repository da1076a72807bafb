import { generationOfSpec, type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { ingressColumns } from "./columns.js";
import { ingressValidation } from "./validation.js";
import { ingressWarnings } from "./warnings.js";

/** The definition of Ingress, a way from outside to services, stored under `ingress`. */
export const ingressDefinition: KindDefinition = {
  resource: "ingresses",
  kind: "Ingress",
  namespaced: true,
  shortNames: ["ing"],
  subresources: [statusSubresource],
  storage: { prefix: "ingress" },
  storageVersionHash: "39NQlfNR+bo=",
  table: ingressColumns,
  strategy: { validation: ingressValidation, warnings: ingressWarnings, generation: generationOfSpec },
};
