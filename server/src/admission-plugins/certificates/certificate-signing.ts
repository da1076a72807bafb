import { type AdmissionPlugin, refusal } from "@gatehouse/apiserver/admission";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import { textAt, valueAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "../plugin-parts.js";
import { maySignAs } from "./signer-permission.js";
import { isRequestWrite } from "./signing-requests.js";

/** CertificateSigning: who writes the certificate or the conditions of a request needs the verb `sign` on its signer. */
export function certificateSigning({ mayDo }: Pick<PluginParts, "mayDo">): AdmissionPlugin {
  return {
    name: "CertificateSigning",
    concerns: (write) => isRequestWrite(write, "UPDATE", "status"),
    validate(attributes) {
      const { object, oldObject } = attributes;
      const isSame = ["certificate", "conditions"].every((member) =>
        isSameState(valueAt(object, "status", member), valueAt(oldObject, "status", member)),
      );
      return isSame ? undefined : refuseUnlessSigner(mayDo, attributes);
    },
  };
}

async function refuseUnlessSigner(
  mayDo: PluginParts["mayDo"],
  attributes: Parameters<typeof refusal>[0],
): Promise<void> {
  const signer = textAt(attributes.oldObject, "spec", "signerName");
  if (!(await maySignAs(mayDo, attributes, "sign", signer))) {
    throw refusal(attributes, `user not permitted to sign requests with signerName ${goQuote(signer)}`);
  }
}
