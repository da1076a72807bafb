import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  refusal,
  type SortOfWrite,
} from "@gatehouse/apiserver/admission";
import { goQuote } from "@gatehouse/envelopes/go";
import { textAt } from "@gatehouse/envelopes/json";
import type { PluginParts } from "../plugin-parts.js";
import { isSameButForCollection } from "./same-but-for-collection.js";
import { maySignAs } from "./signer-permission.js";

/** ClusterTrustBundleAttest: who writes a bundle for a signer needs the verb `attest` on it. Behind a feature gate. */
export function clusterTrustBundleAttest({
  mayDo,
  features,
}: Pick<PluginParts, "mayDo" | "features">): AdmissionPlugin {
  const isEnabled = features.enabled("ClusterTrustBundle");
  return {
    name: "ClusterTrustBundleAttest",
    concerns: (write) => isEnabled && isBundleWrite(write),
    validate(attributes) {
      const { object = {}, oldObject } = attributes;
      const signer = textAt(object, "spec", "signerName");
      if (signer === "" || (oldObject !== undefined && isSameButForCollection(object, oldObject))) {
        return undefined;
      }
      return refuseUnlessAttester(mayDo, attributes, signer);
    },
  };
}

function isBundleWrite({ operation, resource }: SortOfWrite): boolean {
  return (
    resource.group === "certificates.k8s.io" &&
    resource.resource === "clustertrustbundles" &&
    (operation === "CREATE" || operation === "UPDATE")
  );
}

async function refuseUnlessAttester(
  mayDo: PluginParts["mayDo"],
  attributes: AdmissionAttributes,
  signer: string,
): Promise<void> {
  if (!(await maySignAs(mayDo, attributes, "attest", signer))) {
    throw refusal(attributes, `user not permitted to attest for signerName ${goQuote(signer)}`);
  }
}
