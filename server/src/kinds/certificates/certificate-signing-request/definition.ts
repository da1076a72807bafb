import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { signerNameField } from "../signer-name-field.js";
import { certificateSigningRequestColumns } from "./columns.js";
import { certificateSigningRequestStrategy } from "./strategy.js";

/**
 * The definition of CertificateSigningRequest. Requests are approved and denied through /approval, by a permission of
 * its own.
 */
export const certificateSigningRequestDefinition: KindDefinition = {
  resource: "certificatesigningrequests",
  kind: "CertificateSigningRequest",
  namespaced: false,
  shortNames: ["csr"],
  subresources: [
    { name: "approval", kind: undefined, verbs: ["get", "patch", "update"], handledBy: "object", hasNoTable: true },
    statusSubresource,
  ],
  storageVersionHash: "95fRKMXA+00=",
  fields: signerNameField,
  table: certificateSigningRequestColumns,
  strategy: certificateSigningRequestStrategy,
};
