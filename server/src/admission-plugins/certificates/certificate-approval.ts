import { type AdmissionPlugin, refusal } from "@gatehouse/apiserver/admission";
import { goQuote } from "@gatehouse/envelopes/go";
import { textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "../plugin-parts.js";
import { maySignAs } from "./signer-permission.js";
import { isRequestWrite } from "./signing-requests.js";

/** CertificateApproval: who approves or denies a request needs the verb `approve` on its signer. */
export function certificateApproval({ mayDo }: Pick<PluginParts, "mayDo">): AdmissionPlugin {
  return {
    name: "CertificateApproval",
    concerns: (write) => isRequestWrite(write, "UPDATE", "approval"),
    async validate(attributes) {
      // The new one may name another signer, which is refused elsewhere.
      const signer = textAt(attributes.oldObject, "spec", "signerName");
      if (!(await maySignAs(mayDo, attributes, "approve", signer))) {
        throw refusal(attributes, `user not permitted to approve requests with signerName ${goQuote(signer)}`);
      }
    },
  };
}
