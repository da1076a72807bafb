import { type AdmissionAttributes, type AdmissionPlugin, refusal } from "@gatehouse/apiserver/admission";
import { CertificateRequestError } from "@gatehouse/component-base/errors";
import { type CertificateRequest, readCertificateRequest } from "@gatehouse/component-base/pki";
import { textAt } from "@gatehouse/envelopes/json";
import { isRequestWrite } from "./signing-requests.js";

const clientSigner = "kubernetes.io/kube-apiserver-client";
/** The group whose members may do everything, regardless of authorizers. */
const masters = "system:masters";

/** CertificateSubjectRestriction: nobody is made a member of `system:masters` by a client certificate. */
export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: "CertificateSubjectRestriction",
    concerns: (write) => isRequestWrite(write, "CREATE", ""),
    validate(attributes) {
      const { object } = attributes;
      if (textAt(object, "spec", "signerName") !== clientSigner) {
        return;
      }
      if (requestOf(attributes).organizations.includes(masters)) {
        throw refusal(attributes, `use of ${clientSigner} signer with ${masters} group is not allowed`);
      }
    },
  };
}

function requestOf(attributes: AdmissionAttributes): CertificateRequest {
  try {
    return readCertificateRequest(Buffer.from(textAt(attributes.object, "spec", "request"), "base64"));
  } catch (error) {
    throw error instanceof CertificateRequestError
      ? refusal(attributes, `failed to parse CSR: ${error.message}`)
      : error;
  }
}
