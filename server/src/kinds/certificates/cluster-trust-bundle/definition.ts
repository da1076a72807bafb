import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { signerNameField } from "../signer-name-field.js";
import { clusterTrustBundleTable } from "./columns.js";
import { clusterTrustBundleRules } from "./rules.js";

/** Accepts any name: the rules of the kind validate the name, which depends on the signer. */
const anyName = (): string[] => [];

/**
 * The definition of ClusterTrustBundle, authorities to trust (KEP-3257): alpha, so served only with its gate and on
 * request.
 */
export const clusterTrustBundleRow: ResourceRow = {
  resource: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
  metadataRechecks: "inRules",
  storageVersionHash: "XGGGW2kGm+w=",
  servedByDefault: false,
  gate: "ClusterTrustBundle",
  nameRule: anyName,
  allowUnconditionalUpdate: false,
  fields: signerNameField,
  table: clusterTrustBundleTable,
  rules: clusterTrustBundleRules,
};
