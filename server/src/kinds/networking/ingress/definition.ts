import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { ingressTable } from "./columns.js";
import { ingressRules } from "./rules.js";
import { ingressWarnings } from "./warnings.js";

/** The definition of Ingress, a way from outside to services, stored under `ingress`. */
export const ingressRow: ResourceRow = {
  resource: "ingresses",
  kind: "Ingress",
  namespaced: true,
  shortNames: ["ing"],
  subresources: [statusSubresource],
  storage: { prefix: "ingress" },
  storageVersionHash: "39NQlfNR+bo=",
  hasGeneration: true,
  table: ingressTable,
  warnings: ingressWarnings,
  rules: ingressRules,
};
