import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { signerNameField } from "../signer-name-field.js";
import { certificateSigningRequestColumns } from "./columns.js";
import { certificateSigningRequestStrategy } from "./strategy.js";
import { certificateSigningRequestValidation } from "./validation/index.js";

/**
 * The definition of CertificateSigningRequest. Requests are approved and denied through /approval, by a permission of
 * its own.
 */
export const certificateSigningRequestDefinition: KindDefinition = {
  resource: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  metadataRechecks: "inValidation",
  resetFields: {
    "": ["spec", "status"],
    status: ["spec", "status.conditions"],
    approval: ["spec", "status.certificate"],
  },
  namespaced: false,
  shortNames: ["csr"],
  subresources: [
    { name: "approval", kind: undefined, verbs: ["get", "patch", "update"], handledBy: "object" },
    statusSubresource,
  ],
  storageVersionHash: "95fRKMXA+00=",
  nameFormat: "any",
  fields: signerNameField,
  table: certificateSigningRequestColumns,
  validation: certificateSigningRequestValidation,
  ...certificateSigningRequestStrategy,
};
