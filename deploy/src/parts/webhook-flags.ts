import { webhookCallerName } from "../identities.js";
import type { LocalPki, OtherServer } from "../local-pki.js";

/** Returns the flags with which a webhook server of a stack serves: on 127.0.0.1, to its API server and nobody else. */
export async function webhookServingFlags(pki: LocalPki, server: OtherServer, port: number): Promise<string[]> {
  const { certFile, keyFile } = await pki.ofServer(server);
  return [
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    `--tls-cert-file=${certFile}`,
    `--tls-private-key-file=${keyFile}`,
    `--client-ca-file=${pki.caFile}`,
    `--client-allowed-names=${webhookCallerName}`,
    "--logging-format=text",
  ];
}
