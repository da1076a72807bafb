import type { CertificateFiles, LocalPki } from "../local-pki.js";

/** How the webhook servers of a stack serve: on 127.0.0.1, to its API server and nobody else. */
export function webhookServingFlags(pki: LocalPki, serving: CertificateFiles, port: number): string[] {
  return [
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    `--tls-cert-file=${serving.certFile}`,
    `--tls-private-key-file=${serving.keyFile}`,
    `--client-ca-file=${pki.caFile}`,
    `--client-allowed-names=${pki.webhookCallerName}`,
    "--logging-format=text",
  ];
}
