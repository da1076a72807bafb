import { formatKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { LocalPki } from "../local-pki.js";

/** Returns the kubeconfig with which the API server of a stack calls a webhook server. */
export async function webhookKubeconfig(userName: string, server: string, pki: LocalPki): Promise<string> {
  const caller = await pki.ofClient("apiserver-webhook-caller");
  return formatKubeconfig({
    clusterName: "webhooks",
    server,
    certificateAuthorityPem: pki.authority.certificatePem,
    userName,
    clientCertificatePem: caller.certificatePem,
    clientKeyPem: caller.keyPem,
  });
}
