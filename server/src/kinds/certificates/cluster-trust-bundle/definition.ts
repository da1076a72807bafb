import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { signerNameField } from "../signer-name-field.js";
import { clusterTrustBundleColumns } from "./columns.js";
import { clusterTrustBundleValidation } from "./validation.js";

/** Accepts any name: the rules of the kind validate the name, which depends on the signer. */
const anyName = (): string[] => [];

/**
 * The definition of ClusterTrustBundle, authorities to trust (KEP-3257): alpha, so served only with its gate and on
 * request.
 */
export const clusterTrustBundleDefinition: KindDefinition = {
  resource: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
  storageVersionHash: "XGGGW2kGm+w=",
  servedByDefault: false,
  gate: "ClusterTrustBundle",
  fields: signerNameField,
  table: clusterTrustBundleColumns,
  strategy: {
    validation: clusterTrustBundleValidation,
    metadata: { rechecks: "inValidation", validateName: anyName },
    update: { allowUnconditionalUpdate: false },
  },
};
