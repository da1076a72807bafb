import { textAt } from "@gatehouse/envelopes";
import { organizationsOf } from "../../../rules/certificates/signing-request.js";
import type { AdmissionPlugin } from "../../admission-plugin.js";
import { refusal } from "../../refusal.js";
import { isRequestWrite } from "./signing-requests.js";

const clientSigner = "kubernetes.io/kube-apiserver-client";
/** Whoever is in this group may do everything, whatever authorizers say. */
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
      const request = Buffer.from(textAt(object, "spec", "request"), "base64");
      if (organizationsOf(request).includes(masters)) {
        throw refusal(attributes, `use of ${clientSigner} signer with ${masters} group is not allowed`);
      }
    },
  };
}
