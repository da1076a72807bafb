import { formatKubeconfig } from "@gatehouse/component-base";
import type { LocalPki } from "../local-pki.js";

/** How the API server of a stack reaches a webhook server, and who it is there. */
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
