import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { signerNameField } from "../signer-name-field.js";
import { certificateSigningRequestTable } from "./columns.js";
import { certificateSigningRequestRules } from "./rules/rules.js";
import { certificateSigningRequestStrategy } from "./strategy.js";

/**
 * The definition of CertificateSigningRequest. Requests are approved and denied through /approval, by a permission of
 * its own.
 */
export const certificateSigningRequestRow: ResourceRow = {
  resource: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  metadataRechecks: "inRules",
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
  nameRule: "any",
  fields: signerNameField,
  table: certificateSigningRequestTable,
  rules: certificateSigningRequestRules,
  ...certificateSigningRequestStrategy,
};
