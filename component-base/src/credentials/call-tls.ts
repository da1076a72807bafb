import type { CertificatePem } from "../kubeconfig/client-config.js";

/** TLS material of a call: the trusted authorities and the caller's certificate. */
export interface CallTls {
  readonly certificateAuthorityPem?: string;
  readonly clientCertificate?: CertificatePem;
}
