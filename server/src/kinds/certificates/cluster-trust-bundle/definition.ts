import type { ResourceRow } from "../../define-resource.js";
import { signerNameField } from "../signer-name-field.js";
import { clusterTrustBundleTable } from "./columns.js";

/** Authorities to trust (KEP-3257): alpha, so served only with its gate and on request. */
export const clusterTrustBundleRow: ResourceRow = {
  resource: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
  storageVersionHash: "XGGGW2kGm+w=",
  servedByDefault: false,
  gate: "ClusterTrustBundle",
  nameRule: "pathSegment",
  allowUnconditionalUpdate: false,
  fields: signerNameField,
  table: clusterTrustBundleTable,
};
