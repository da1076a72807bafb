import { formatKubeconfig } from "@gatehouse/component-base";
import type { LocalPki } from "../local-pki.js";

/** How the API server of a stack reaches a webhook server, and who it is there. */
export function webhookKubeconfig(userName: string, server: string, { authority, webhookCaller }: LocalPki): string {
  return formatKubeconfig({
    clusterName: "webhooks",
    server,
    certificateAuthorityPem: authority.certificatePem,
    userName,
    clientCertificatePem: webhookCaller.certificatePem,
    clientKeyPem: webhookCaller.keyPem,
  });
}
